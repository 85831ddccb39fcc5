import type { Clock, Logger, Timer } from '@probity/core';

/** Counts spans that were not exported, and says so in the log. */
export interface SpanLosses {
  /** @param reason a word; never what a receiver said */
  add(count: number, reason: string): void;
  /** Says what has not been said yet. */
  close(): void;
}

/** Lines are this far apart, however many spans are lost. */
const PAUSE_MS = 60_000;

/** Creates the count; the first loss is told at once. */
export function createSpanLosses(clock: Clock, logger: Logger): SpanLosses {
  let waiting = 0;
  let total = 0;
  let lastReason = '';
  let timer: Timer | null = null;
  const tell = () => {
    timer = null;
    if (waiting === 0) return;
    logger.warn('spans were not exported', {
      lost: waiting,
      lost_in_all: total,
      error: lastReason,
    });
    waiting = 0;
    timer = clock.setTimer(tell, PAUSE_MS);
  };
  return {
    add(count, reason) {
      waiting += count;
      total += count;
      lastReason = reason;
      if (timer === null) tell();
    },
    close() {
      timer?.cancel();
      tell();
      timer?.cancel();
      timer = null;
    },
  };
}

import type { Clock, Timer } from '@probity/core';

/** Asks dependencies in the background how they are. */
export interface Probes {
  start(): void;
  stop(): void;
}

/** Dependencies of the probes. */
export interface ProbesOptions {
  readonly clock: Clock;
  /** Seconds from one round to the next. */
  readonly intervalSec: () => number;
  /** None of them rejects. */
  readonly probes: readonly (() => Promise<void>)[];
}

/** Creates the probes: a round begins when all of the one before have ended. */
export function createProbes({ clock, intervalSec, probes }: ProbesOptions): Probes {
  let timer: Timer | null = null;
  let isRunning = false;
  const schedule = () => {
    if (!isRunning) return;
    timer = clock.setTimer(() => {
      void Promise.all(probes.map((probe) => probe())).then(schedule);
    }, intervalSec() * 1_000);
  };
  return {
    start() {
      isRunning = true;
      schedule();
    },
    stop() {
      isRunning = false;
      timer?.cancel();
    },
  };
}

import type { CallContext, Logger } from '@probity/core';
import { spanOf } from '../tracing/tracing.ts';

let waiting: (() => void)[] = [];
let isReporting = false;

/**
 * Runs a report behind what this turn of the event loop still writes, a request to a model or an answer, so that no
 * caller waits for it. It runs in the same turn: before anything that follows from what was written is read. The reports
 * of a turn run one after the other, which costs less than each between two scans. A traced request is reported at
 * once, since its spans end before its own, and so is what another report reports.
 */
export function afterWriting(context: CallContext, logger: Logger, report: () => void): void {
  if (isReporting || spanOf(context) !== undefined) {
    report();
    return;
  }
  const isFirst = waiting.push(() => attempt(context, logger, report)) === 1;
  // Answers are written by a callback of this kind that promises make first, and these come before the next tick.
  if (isFirst) process.nextTick(setImmediate, runAll);
}

function runAll(): void {
  const reports = waiting;
  waiting = [];
  isReporting = true;
  for (const report of reports) report();
  isReporting = false;
}

function attempt({ requestId }: CallContext, logger: Logger, report: () => void): void {
  try {
    report();
  } catch (error) {
    logger.error('what was answered could not be reported', { request_id: requestId, error });
  }
}

import type { CallContext, Logger } from '@probity/core';
import { spanOf } from '../tracing/tracing.ts';

/**
 * Runs a report behind what this turn of the event loop still writes, a request to a model or an answer, so that
 * nobody waits for it. It runs in the same turn: before anything that follows from what was written is read. A
 * traced request is reported at once, since its spans end before its own.
 */
export function afterWriting(context: CallContext, logger: Logger, report: () => void): void {
  if (spanOf(context) !== undefined) {
    report();
    return;
  }
  const run = () => {
    try {
      report();
    } catch (error) {
      logger.error('a call could not be reported', { request_id: context.requestId, error });
    }
  };
  // Answers are written by a callback of this kind that promises make first, and these come before the next tick.
  process.nextTick(setImmediate, run);
}

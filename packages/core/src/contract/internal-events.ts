import type { RuntimeSummary } from './runtime-summary.ts';

/** Events between packages, with their data: webhooks cannot list them. */
export interface InternalEventMap {
  /** A day of an AI system, or of the calls about none, has ended and was summed up. */
  'runtime.summarized': RuntimeSummary;
}

import type { LeasedJob } from './storage.ts';

/** Attempts after which a job that is abandoned may be what ends its workers. */
export const SUSPECT_AFTER_ATTEMPTS = 2;

/**
 * Whether a job may be what ended its workers: it was abandoned, and not for the first time. A worker
 * has one such job in hand at a time, so that a job that kills its process does not use up the
 * attempts of those that were claimed with it.
 */
export function isSuspect({ isAbandoned, attempts }: LeasedJob): boolean {
  return isAbandoned && attempts > SUSPECT_AFTER_ATTEMPTS;
}

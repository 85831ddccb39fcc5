import type { LeasedJob } from './storage.ts';

/** Attempts after which an abandoned job is suspected of ending its workers. */
export const SUSPECT_AFTER_ATTEMPTS = 2;

/**
 * Whether a job may have ended its workers: it was abandoned, and not for the first time. A worker
 * processes one such job at a time, so that a job that kills its process does not use up the
 * attempts of those that were claimed with it.
 */
export function isSuspect({ isAbandoned, attempts }: LeasedJob): boolean {
  return isAbandoned && attempts > SUSPECT_AFTER_ATTEMPTS;
}

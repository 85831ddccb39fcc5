import { ProbityError } from '../errors.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';

/** Retry-After of rejected requests in seconds; the end of maintenance is not known. */
const RETRY_AFTER_SECONDS = 30;

/** @throws ProbityError `unavailable` with Retry-After while maintenance is on */
export async function refuseDuringMaintenance(maintenance: Maintenance): Promise<void> {
  const { active } = await maintenance.state();
  if (!active) return;
  throw new ProbityError('unavailable', 'The service is in maintenance; try again later.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

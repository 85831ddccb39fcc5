import type { Principal } from '../context.ts';
import { ProbityError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Meter } from './meter.ts';

/**
 * Counts a call against the `api_requests` quota. SCIM calls, which an identity provider makes
 * automatically, are not counted.
 * @throws ProbityError `rate_limited` when it is used up
 */
export function spendRequest(
  meter: Meter | undefined,
  principal: Principal,
  { rateLimit, allowedOverQuota }: Endpoint,
): Promise<void> | undefined {
  if (!meter || rateLimit === 'scim') return undefined;
  if (meter.trySpendLocal?.(principal, 'api_requests', 1)) return undefined;
  return spendFurther(meter, principal, allowedOverQuota === true);
}

async function spendFurther(
  meter: Meter,
  principal: Principal,
  allowedOverQuota: boolean,
): Promise<void> {
  try {
    await meter.spend(principal, 'api_requests', 1);
  } catch (error) {
    const isSpent = error instanceof ProbityError && error.kind === 'rate_limited';
    if (!(isSpent && allowedOverQuota)) throw error;
  }
}

/**
 * Counts a call against the quota that its endpoint names, once the call has been validated.
 * @throws ProbityError `rate_limited` when fewer units remain than the call needs
 */
export function spendQuota(
  meter: Meter | undefined,
  principal: Principal,
  { quota, quotaUnits }: Endpoint,
  body: unknown,
): Promise<void> | undefined {
  if (!meter || !quota) return undefined;
  const units = quotaUnits?.(body) ?? 1;
  if (meter.trySpendLocal?.(principal, quota, units)) return undefined;
  return meter.spend(principal, quota, units);
}

import type { Principal } from '../context.ts';
import { ProbityError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Meter } from './meter.ts';

/**
 * Counts a call against the `api_requests` quota. SCIM calls, which an identity provider makes
 * automatically, and calls of signed-in people are not counted.
 * @throws ProbityError `rate_limited` when it is used up
 */
export function spendRequest(
  meter: Meter | undefined,
  principal: Principal,
  { method, rateLimit, allowedOverQuota }: Endpoint,
): Promise<void> | undefined {
  if (!meter || rateLimit === 'scim' || principal.sessionId !== undefined) return undefined;
  if (meter.trySpendLocal?.(principal, 'api_requests', 1)) return undefined;
  return spendFurther(meter, principal, allowedOverQuota === true, method === 'GET');
}

async function spendFurther(
  meter: Meter,
  principal: Principal,
  allowedOverQuota: boolean,
  mayOwe: boolean,
): Promise<void> {
  try {
    await meter.spend(principal, 'api_requests', 1, { mayOwe });
  } catch (error) {
    const isSpent = error instanceof ProbityError && error.kind === 'rate_limited';
    if (!(isSpent && allowedOverQuota)) throw error;
  }
}

/**
 * Counts a call against the quota that its endpoint names, once the call has been validated.
 * @returns the units that it consumed, which may be fewer than it needs where the endpoint says so
 * @throws ProbityError `rate_limited` when fewer units remain than the call needs, or none
 */
export function spendQuota(
  meter: Meter | undefined,
  principal: Principal,
  { quota, quotaUnits, isQuotaPartial }: Endpoint,
  body: unknown,
): Promise<number> | number {
  const units = quotaUnits?.(body) ?? 1;
  if (!meter || !quota) return units;
  if (meter.trySpendLocal?.(principal, quota, units)) return units;
  const spend = (part: number) => meter.spend(principal, quota, part);
  return isQuotaPartial ? spendPart(spend, units) : spend(units).then(() => units);
}

/** Spends as many of the units as remain, by trying halves: a meter spends all or none. */
async function spendPart(spend: (units: number) => Promise<void>, units: number): Promise<number> {
  let refusal = await refusalOf(spend, units);
  if (!refusal) return units;
  let spent = 0;
  for (let part = largestHalf(units); part >= 1; part /= 2) {
    const isRefused = await refusalOf(spend, part);
    if (isRefused) refusal = isRefused;
    else spent += part;
  }
  if (spent === 0) throw refusal;
  return spent;
}

/** The largest power of two below `units`; 0 for a single one. */
function largestHalf(units: number): number {
  return units <= 1 ? 0 : 2 ** Math.floor(Math.log2(units - 1));
}

/** The error when the units do not remain; null when they are spent. */
async function refusalOf(
  spend: (units: number) => Promise<void>,
  units: number,
): Promise<ProbityError | null> {
  try {
    await spend(units);
    return null;
  } catch (error) {
    if (error instanceof ProbityError && error.kind === 'rate_limited') return error;
    throw error;
  }
}

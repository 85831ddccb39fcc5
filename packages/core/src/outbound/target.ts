import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { startDeadline, within } from './deadline.ts';
import { errorCode, OutboundFailure } from './failure.ts';
import { isInternalName } from './internal-names.ts';
import type { Lookup } from './lookup.ts';
import { isNoAddress, systemLookup } from './lookup.ts';
import type { NetworkAllowList } from './networks.ts';
import type { OutboundCheck, OutboundTarget } from './url.ts';
import { checkAddresses, checkOutboundUrl } from './url.ts';

/** Dependencies of `checkOutboundTarget`. */
export interface TargetCheckOptions {
  /** Non-public networks that may be reached. */
  readonly allow: NetworkAllowList;
  /** Default: {@link systemLookup}. */
  readonly lookup?: Lookup;
  /** Default: the system clocks. */
  readonly clock?: Clock;
  /** Time limit of name resolution in milliseconds; default {@link LOOKUP_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

/** Time limit of name resolution in milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000;

/**
 * Checks a URL when it is first supplied, for instance at the creation of a webhook: by its text,
 * and by every address its name currently resolves to. A name that does not resolve (in time) is
 * accepted, since the dialer resolves it again at every request; an internal name is not.
 */
export async function checkOutboundTarget(
  url: string,
  options: TargetCheckOptions,
): Promise<OutboundCheck> {
  const { allow, lookup = systemLookup, clock = systemClock, timeoutMs } = options;
  const check = checkOutboundUrl(url, allow);
  if (!check.ok || isIP(check.host) !== 0) return check;
  const addresses = await resolveTarget(check, { lookup, clock, timeoutMs }).catch(() => []);
  const mayWait = addresses.length === 0 && !isInternalName(check.host);
  return mayWait ? check : checkAddresses(check, addresses, allow);
}

/** Dependencies of `resolveTarget`. */
interface ResolveOptions {
  readonly lookup: Lookup;
  readonly clock: Clock;
  /** In milliseconds; default {@link LOOKUP_TIMEOUT_MS}. */
  readonly timeoutMs?: number | undefined;
  /** Ends the lookup. */
  readonly signal?: AbortSignal;
}

/**
 * Every address of a target: its own when it is literal, otherwise the result of DNS.
 *
 * @throws OutboundFailure `dns` when the name has no address; `dns_unavailable` when no name server
 * answered in time; or the reason of the signal.
 */
export async function resolveTarget(
  { host }: OutboundTarget,
  { lookup, clock, timeoutMs = LOOKUP_TIMEOUT_MS, signal }: ResolveOptions,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const deadline = startDeadline(clock, timeoutMs, signal);
  try {
    const addresses = await within(deadline.signal, (limited) => lookup(host, limited));
    if (addresses.length === 0) throw new OutboundFailure('dns', 'The name has no address');
    return addresses;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (deadline.signal.aborted) {
      throw new OutboundFailure('dns_unavailable', `No answer within ${timeoutMs} ms`, error);
    }
    if (error instanceof OutboundFailure) throw error;
    const detail = errorCode(error) || 'no answer';
    throw isNoAddress(error)
      ? new OutboundFailure('dns', `The name did not resolve (${detail})`, error)
      : new OutboundFailure('dns_unavailable', `The name server gave no answer (${detail})`, error);
  } finally {
    deadline.clear();
  }
}

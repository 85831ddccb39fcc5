import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { startDeadline, within } from './deadline.ts';
import { OutboundFailure } from './failure.ts';
import { isInternalName } from './internal-names.ts';
import type { Lookup } from './lookup.ts';
import { systemLookup } from './lookup.ts';
import type { NetworkAllowList } from './networks.ts';
import type { OutboundCheck, OutboundTarget } from './url.ts';
import { checkAddresses, checkOutboundUrl } from './url.ts';

/** Dependencies of `checkOutboundTarget`. */
export interface TargetCheckOptions {
  /** Non-public networks that may be reached. */
  readonly allow: NetworkAllowList;
  /** Default: the operating system's resolver. */
  readonly lookup?: Lookup;
  /** Default: the system clocks. */
  readonly clock?: Clock;
  /** Time limit of name resolution in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Checks a URL when it is first supplied, for instance at the creation of a webhook: by its text,
 * and by every address its name currently resolves to. A name that does not resolve (in time) is
 * accepted, since the dialer resolves it again at every request; an internal name is not.
 */
export async function checkOutboundTarget(
  url: string,
  { allow, lookup = systemLookup, clock = systemClock, timeoutMs = 5_000 }: TargetCheckOptions,
): Promise<OutboundCheck> {
  const check = checkOutboundUrl(url, allow);
  if (!check.ok || isIP(check.host) !== 0) return check;
  const deadline = startDeadline(clock, timeoutMs);
  const addresses = await resolveTarget(check, lookup, deadline.signal).catch(() => []);
  deadline.clear();
  const mayWait = addresses.length === 0 && !isInternalName(check.host);
  return mayWait ? check : checkAddresses(check, addresses, allow);
}

/**
 * Every address of a target: its own when it is literal, otherwise the result of DNS.
 *
 * @throws OutboundFailure `dns` when the name has no address; or the reason of the signal.
 */
export async function resolveTarget(
  { host }: OutboundTarget,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await within(signal, () => lookup(host, signal)).catch((error: unknown) => {
    throw signal.aborted
      ? signal.reason
      : new OutboundFailure('dns', 'The name did not resolve', error);
  });
  if (addresses.length === 0) throw new OutboundFailure('dns', 'The name has no address');
  return addresses;
}

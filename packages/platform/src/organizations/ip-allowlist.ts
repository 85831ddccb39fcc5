import type { CidrList } from '@probity/core';
import { ProbityError, parseCidrList } from '@probity/core';
import { LRUCache } from 'lru-cache';

/** Checks client addresses against the IP allowlists of organizations. */
export interface IpAllowlists {
  /** Whether the address is on the list, as JSON text, or the list is empty. */
  admits(allowlist: string, address: string | null): boolean;
  /**
   * Accepts an address on the list, and every address when the list is empty.
   * @param allowlist the list as JSON text
   * @throws ProbityError `forbidden` that names the address
   */
  require(allowlist: string, address: string | null): void;
}

const EMPTY = '[]';
const MAX_CACHED = 1_000;

/**
 * Creates the check. Parsed lists are cached by their text, so that a change takes effect at once.
 */
export function createIpAllowlists(): IpAllowlists {
  const parsed = new LRUCache<string, CidrList>({ max: MAX_CACHED });
  function parse(allowlist: string): CidrList {
    const list = toCidrList(JSON.parse(allowlist) as string[]);
    parsed.set(allowlist, list);
    return list;
  }
  function admits(allowlist: string, address: string | null): boolean {
    if (allowlist === EMPTY) return true;
    const list = parsed.get(allowlist) ?? parse(allowlist);
    return address !== null && list.contains(address);
  }
  return {
    admits,
    require(allowlist, address) {
      if (admits(allowlist, address)) return;
      throw new ProbityError(
        'forbidden',
        `The address ${address ?? '(unknown)'} is not on the organization's IP allowlist.`,
      );
    },
  };
}

/** Parses the networks of an allowlist. */
export function toCidrList(allowlist: readonly string[]): CidrList {
  return parseCidrList(allowlist.join(','));
}

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { toCanonicalNetwork } from '@probity/core/internal';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayKey } from './gateway-key.ts';

/** How personal data appears in what is stored and logged. */
export interface PersonalData {
  /**
   * A matched value: a keyed hash (`hmac-sha256:…`), or masked but for its last four letters and digits; undefined
   * where nothing of it may be kept.
   */
  showValue(value: string): string | undefined;
  /** The id of a user, as it is stored. */
  showUser(userId: string): string;
  /** The id of a user in which a value was found, to be given to `showUser`. */
  hideUser(userId: string): string;
  /** The forms in which the id of a user may have been stored by this or an earlier configuration. */
  formsOfUser(userId: string): string[];
  /** The address of a client: whole, or its network (/24, of IPv6 /48). */
  showAddress(address: string | null): string | null;
}

/** The rules of a configuration. */
export function createPersonalData(
  { compliance }: Pick<GatewayConfig, 'compliance'>,
  key: GatewayKey,
): PersonalData {
  const { gdpr_mode, hash_pii_in_logs, pii_retention_days } = compliance;
  const hashUser = (userId: string) => `hmac-sha256:${hmac(key.derive('user'), userId)}`;
  return {
    showValue(value) {
      if (pii_retention_days === 0) return undefined;
      if (hash_pii_in_logs) return `hmac-sha256:${hmac(key.derive('value'), value)}`;
      return gdpr_mode ? undefined : maskValue(value);
    },
    showUser: (userId) => (gdpr_mode ? hashUser(userId) : userId),
    hideUser: (userId) => (gdpr_mode ? userId : hashUser(userId)),
    formsOfUser: (userId) => [userId, hashUser(userId)],
    showAddress: (address) => (address !== null && gdpr_mode ? networkOf(address) : address),
  };
}

function hmac(key: Uint8Array, value: string): string {
  return createHmac('sha256', key).update(value).digest('hex');
}

/** From so many letters and digits on, the last four of them are shown. */
const LEAST_SHOWN_OF = 9;
const SHOWN = 4;

/** `536-22-8145` becomes `***-**-8145`; a short value is masked as a whole. */
export function maskValue(value: string): string {
  const marks = [...value].filter((each) => /[\p{L}\p{N}]/u.test(each)).length;
  let hidden = marks >= LEAST_SHOWN_OF ? marks - SHOWN : marks;
  return value.replace(/[\p{L}\p{N}]/gu, (each) => (hidden-- > 0 ? '*' : each));
}

function networkOf(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return null;
  if (family === 4) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  // The URL parser writes every form in one way: groups, and "::" once for zeros.
  const [head = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3);
  return toCanonicalNetwork(`${groups.join(':')}::/48`);
}

import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '@probity/core';
import { ProbityError, systemRandom } from '@probity/core';
import { addressNetworks } from '@probity/core/internal';
import { createFairGate } from './fair-gate.ts';
import { createKnownNetworks } from './known-networks.ts';

/** Cost of a scrypt hash (RFC 7914): N is 2^logN, memory is 128 · N · r bytes. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** One of the equally strong settings of the OWASP Password Storage Cheat Sheet: 32 MiB. */
export const PASSWORD_COST: PasswordCost = Object.freeze({ logN: 15, r: 8, p: 3 });

/**
 * Hashes and verifies passwords. Few hashes are computed at once; those of one client `address` (its
 * IPv6 network) wait in a queue of their own, and the networks take turns, and so do the networks and
 * addresses within each (`addressNetworks` of the core). Addresses from which a password was right
 * before have every second turn, and places that all others together cannot fill. Both calls throw
 * ProbityError `rate_limited` when too many of the address are waiting or the task was displaced by
 * another network's, and `unavailable` when too many are waiting in all.
 */
export interface Passwords {
  /** Returns the hash with salt and cost, `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
  hash(password: string, address?: string | null): Promise<string>;
  /**
   * Whether `stored` is a hash of the password. Null, for a missing account or one without a
   * password, takes the same time as a real hash and never matches.
   */
  verify(password: string, stored: string | null, address?: string | null): Promise<boolean>;
  /** Whether the hash has another cost than new hashes. */
  isOutdated(stored: string): boolean;
}

/** Options of password hashing. */
export interface PasswordOptions {
  /** Default {@link PASSWORD_COST}. */
  readonly cost?: PasswordCost;
  readonly random?: Random;
}

/** Concurrent hashes; libuv has four threads, which file access and DNS lookups need too. */
const CONCURRENCY = 2;

/** Maximum number of waiting hashes; more would exceed the time that clients wait. */
const MAX_WAITING = 64;

/** Maximum number of waiting hashes for one client address: about a second of work. */
const MAX_WAITING_PER_ADDRESS = 8;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/;

/** Creates password hashing with scrypt. */
export function createPasswords({
  cost = PASSWORD_COST,
  random = systemRandom,
}: PasswordOptions = {}): Passwords {
  const enter = createFairGate({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    maxWaitingPerPath: MAX_WAITING_PER_ADDRESS,
    refusal,
  });
  const known = createKnownNetworks();
  const derive = (password: string, salt: Uint8Array, at: PasswordCost, address: string | null) => {
    // The outermost group: unknown networks, however many there are, are one beside the known ones.
    const path = [known.has(address) ? 'known' : 'unknown', ...addressNetworks(address)];
    return enter(path, () => deriveKey(normalizePassword(password), salt, at));
  };
  const dummy = { cost, salt: random(SALT_BYTES), hash: random(HASH_BYTES) };
  return {
    async hash(password, address = null) {
      const salt = random(SALT_BYTES);
      const hash = await derive(password, salt, cost, address);
      return `${prefixOf(cost)}${toBase64(salt)}$${toBase64(hash)}`;
    },
    async verify(password, stored, address = null) {
      const parsed = stored === null ? null : parse(stored);
      const expected = parsed ?? dummy;
      const hash = await derive(password, expected.salt, expected.cost, address);
      const isRight = timingSafeEqual(hash, expected.hash) && parsed !== null;
      if (isRight) known.add(address);
      return isRight;
    },
    isOutdated: (stored) => !stored.startsWith(prefixOf(cost)),
  };
}

/** The normalized form of a password, so that keyboards may compose characters differently. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

function prefixOf({ logN, r, p }: PasswordCost): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$`;
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt = '', hash = ''] = STORED.exec(stored) ?? [];
  const bytes = Buffer.from(hash, 'base64');
  if (bytes.length !== HASH_BYTES) throw new Error('A stored password hash is not readable.');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: bytes };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

function deriveKey(
  password: string,
  salt: Uint8Array,
  { logN, r, p }: PasswordCost,
): Promise<Buffer> {
  const N = 2 ** logN;
  const options = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1_024 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function refusal(reason: 'own' | 'all'): ProbityError {
  const headers = { 'Retry-After': '5' };
  return reason === 'all'
    ? new ProbityError('unavailable', 'Too many sign-ins are in progress; try again.', { headers })
    : new ProbityError(
        'rate_limited',
        'Too many sign-ins from your network are in progress; try again in 5 s.',
        { headers },
      );
}

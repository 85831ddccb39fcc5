import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '@probity/core';
import { ProbityError, systemRandom } from '@probity/core';

/** Cost of a scrypt hash (RFC 7914): N is 2^logN, memory is 128 · N · r bytes. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** One of the equally strong settings of the OWASP Password Storage Cheat Sheet: 32 MiB. */
export const PASSWORD_COST: PasswordCost = Object.freeze({ logN: 15, r: 8, p: 3 });

/** Hashes and verifies passwords. */
export interface Passwords {
  /** Returns the hash with salt and cost, `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
  hash(password: string): Promise<string>;
  /**
   * Whether `stored` is a hash of the password. Null, for a missing account or one without a
   * password, takes the same time as a real hash and never matches.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
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

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Creates password hashing with scrypt. Both calls throw ProbityError `unavailable` when too many
 * hashes are waiting already.
 */
export function createPasswords({
  cost = PASSWORD_COST,
  random = systemRandom,
}: PasswordOptions = {}): Passwords {
  const enter = createGate(CONCURRENCY, MAX_WAITING);
  const derive = (password: string, salt: Uint8Array, at: PasswordCost) =>
    enter(() => deriveKey(normalizePassword(password), salt, at));
  const dummy = { cost, salt: random(SALT_BYTES), hash: random(HASH_BYTES) };
  return {
    async hash(password) {
      const salt = random(SALT_BYTES);
      const hash = await derive(password, salt, cost);
      return `${prefixOf(cost)}${toBase64(salt)}$${toBase64(hash)}`;
    },
    async verify(password, stored) {
      const parsed = stored === null ? null : parse(stored);
      const expected = parsed ?? dummy;
      const hash = await derive(password, expected.salt, expected.cost);
      const isEqual = timingSafeEqual(hash, expected.hash);
      return parsed !== null && isEqual;
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

/** Runs up to `limit` tasks at once and queues up to `maxWaiting` more. */
function createGate(limit: number, maxWaiting: number) {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) {
      if (waiting.length >= maxWaiting) throw tooBusy();
      // A finished task hands its slot to the next one, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function tooBusy(): ProbityError {
  return new ProbityError('unavailable', 'Too many sign-ins are in progress; try again.', {
    headers: { 'Retry-After': '5' },
  });
}

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import type { Random } from './random.ts';
import { systemRandom } from './random.ts';

/** SHA-256 of a secret in lower-case hex: the stored form of secrets that are only compared. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Whether two strings are equal, in time that depends only on their lengths. */
export function equalSecrets(left: string, right: string): boolean {
  const leftDigest = createHash('sha256').update(left).digest();
  const rightDigest = createHash('sha256').update(right).digest();
  return timingSafeEqual(leftDigest, rightDigest);
}

/** A key derived from an encryption key for another purpose. */
interface DerivedKey {
  /** Identifier of the encryption key that it is derived from. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Seals secrets that must be recoverable (webhook secrets, client secrets). */
export interface SecretBox {
  /** Identifier of the key that seals new secrets. */
  readonly keyId: string;
  /**
   * Seals `secret`. `purpose` names the row it belongs to (such as `webhook:whk_…`); a sealed
   * value moved to another row does not open.
   */
  seal(secret: string, purpose: string): string;
  /** Opens a sealed value. Throws when the key is unknown or when value or purpose was changed. */
  open(sealed: string, purpose: string): string;
  /**
   * Derives 32-byte keys for a purpose other than sealing, one per present key, the sealing key's
   * first (HKDF-SHA-256, RFC 5869). `label` separates the purposes.
   */
  deriveKeys(label: string): readonly DerivedKey[];
}

/**
 * The encryption keys of a box, or a function that returns the current ones. The function is called
 * at every use and must return the same array while nothing has changed.
 */
export type EncryptionKeys = readonly Uint8Array[] | (() => readonly Uint8Array[]);

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM sealing (NIST SP 800-38D) with a random 96-bit nonce per value. A sealed value is
 * `v1.<key id>.<base64url of nonce, ciphertext and tag>`, where the key id is the first 8 hex
 * digits of the key's SHA-256, so that several keys can be in use during rotation. A removed key
 * continues to open values, so that a value read just before the removal does not fail.
 *
 * @param keys 32 bytes each; the first seals, all open. Throws when empty or of another length.
 */
export function createSecretBox(keys: EncryptionKeys, random: Random = systemRandom): SecretBox {
  const ring = createKeyRing(keys);
  return {
    get keyId() {
      return toKeyId(ring.sealing());
    },
    seal(secret, purpose) {
      const key = ring.sealing();
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, body, cipher.getAuthTag()]);
      return `${sealedPrefix(toKeyId(key))}${sealed.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [format, id = '', encoded = ''] = sealed.split('.');
      const key = ring.find(id);
      if (format !== FORMAT || !key) {
        throw new Error(
          `A secret is sealed under the encryption key ${id}, which is not configured.`,
        );
      }
      const bytes = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    deriveKeys: (label) => ring.derive(label),
  };
}

/** Prefix of every value sealed under the key. */
export function sealedPrefix(keyId: string): string {
  return `${FORMAT}.${keyId}.`;
}

/** Id of the key that a value is sealed under; empty for text that is not a sealed value. */
export function sealingKeyOf(sealed: string): string {
  return /^v1\.([0-9a-f]{8})\./.exec(sealed)?.[1] ?? '';
}

interface KeyRing {
  /** The key that seals. */
  sealing(): Uint8Array;
  find(keyId: string): Uint8Array | undefined;
  derive(label: string): readonly DerivedKey[];
}

/** Keys by id: the current and the former ones. */
function createKeyRing(keys: EncryptionKeys): KeyRing {
  const load = typeof keys === 'function' ? keys : () => keys;
  const keysById = new Map<string, Uint8Array>();
  const derived = new Map<string, readonly DerivedKey[]>();
  let loaded: readonly Uint8Array[] | undefined;

  function present(): readonly Uint8Array[] {
    const all = load();
    if (all === loaded) return all;
    if (all.length === 0) throw new Error('A secret box needs at least one encryption key.');
    if (all.some((key) => key.length !== 32)) throw new Error('Encryption keys must be 32 bytes.');
    for (const key of all) keysById.set(toKeyId(key), key);
    derived.clear();
    loaded = all;
    return all;
  }

  present();
  return {
    sealing: () => present()[0] as Uint8Array,
    find(keyId) {
      if (!keysById.has(keyId)) present();
      return keysById.get(keyId);
    },
    derive(label) {
      const keysNow = present();
      const known = derived.get(label);
      if (known) return known;
      // Not derived from former keys: what was made under a removed key is no longer valid.
      const made = keysNow.map((key) => ({ id: toKeyId(key), key: deriveKey(key, label) }));
      derived.set(label, made);
      return made;
    },
  };
}

/**
 * Parses a 32-byte key from base64.
 * @throws Error that describes the fault and never contains the text itself
 */
export function parseEncryptionKey(text: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed) || bytes.length !== 32) {
    throw new Error(
      'must be 32 bytes in base64, as printed by `openssl rand -base64 32`; ' +
        `got ${trimmed.length} characters that decode to ${bytes.length} bytes`,
    );
  }
  return bytes;
}

function deriveKey(key: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `probity ${label}`, 32));
}

/**
 * Parses one or several keys, separated by commas or line ends; the first seals.
 * @throws Error as {@link parseEncryptionKey} does, and for a duplicate key
 */
export function parseEncryptionKeys(text: string): readonly Uint8Array[] {
  const keys = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map(parseEncryptionKey);
  if (new Set(keys.map(toKeyId)).size < keys.length) throw new Error('names one key twice');
  return keys;
}

/** Id of a key: the first 8 hex digits of its SHA-256. */
export function toKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from './random.ts';
import { systemRandom } from './random.ts';

/** SHA-256 of a secret in lower-case hex: what is stored of secrets that are only compared. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether two strings are equal, in a time that depends on their lengths only. */
export function equalSecrets(left: string, right: string): boolean {
  const leftDigest = createHash('sha256').update(left).digest();
  const rightDigest = createHash('sha256').update(right).digest();
  return timingSafeEqual(leftDigest, rightDigest);
}

/** Seals secrets that must be used again (webhook secrets, client secrets). */
export interface SecretBox {
  /** Identifier of the key that new secrets are sealed under. */
  readonly keyId: string;
  /**
   * Seals `secret`. `purpose` names the row it belongs to (such as `webhook:whk_…`); a sealed
   * value moved to another row does not open.
   */
  seal(secret: string, purpose: string): string;
  /** Opens a sealed value. Throws when the key is unknown, or value or purpose were changed. */
  open(sealed: string, purpose: string): string;
}

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM sealing (NIST SP 800-38D) with a random 96-bit nonce per value. A sealed value is
 * `v1.<key id>.<base64url of nonce, ciphertext and tag>`, where the key id is the first 8 hex
 * digits of the key's SHA-256, so that several keys can be in use while they are rotated.
 *
 * @param keys 32 bytes each; the first seals, all open. Throws when empty or of another length.
 */
export function createSecretBox(
  keys: readonly Uint8Array[],
  random: Random = systemRandom,
): SecretBox {
  const [current] = keys;
  if (!current) throw new Error('A secret box needs at least one encryption key.');
  if (keys.some((key) => key.length !== 32)) throw new Error('Encryption keys must be 32 bytes.');
  const keysById = new Map(keys.map((key) => [toKeyId(key), key]));
  const keyId = toKeyId(current);
  return {
    keyId,
    seal(secret, purpose) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, body, cipher.getAuthTag()]);
      return `${FORMAT}.${keyId}.${sealed.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [format, id = '', encoded = ''] = sealed.split('.');
      const key = keysById.get(id);
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
  };
}

/**
 * A 32-byte key from its base64 form.
 * @throws Error that says what is wrong with the text, never the text itself.
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

function toKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

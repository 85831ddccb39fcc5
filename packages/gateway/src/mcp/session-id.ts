import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** Binds the ids of sessions to the API key that began them. */
export interface SessionIds {
  /** The id that a client is given for that of the server; the same one each time. */
  seal(id: string): string;
  /** The id of the server; null for one that was not given to this API key, or is of another server. */
  open(sealed: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Separates these keys from everything else that is made of an API key. */
const PURPOSE = 'probity-gateway mcp session 1';

/**
 * Session ids are sealed with a secret made of the API key and the server's name: nothing is stored, every process can
 * open them, also after a restart, and with another key, or at another server, they are of no use. No client
 * learns the id that the server knows.
 *
 * @param token the API key as it was sent
 */
export function createSessionIds(token: string, serverId: string): SessionIds {
  const secret = createHmac('sha256', token).update(`${PURPOSE} ${serverId}`).digest();
  const purpose = (name: string) => createHmac('sha256', secret).update(name).digest();
  const key = purpose('encrypt');
  // Of the id itself, so that an id is sealed alike each time; different ids have different ones.
  const ivOf = (id: string) =>
    createHmac('sha256', purpose('iv')).update(id).digest().subarray(0, IV_BYTES);
  return {
    seal(id) {
      const iv = ivOf(id);
      const cipher = createCipheriv(CIPHER, key, iv);
      const body = Buffer.concat([cipher.update(id, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed)
        return null;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

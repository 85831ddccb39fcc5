import { loadCrypto } from '../crypto.ts';
import { RedactionError } from '../errors.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'r1';
/**
 * Letters only, since digits might look like a number of something; without vowels, so that they spell
 * nothing. 4 bits each.
 */
const ALPHABET = 'BCDFGHJKLMNPQRST';
const CODE_LENGTH = 10;

/** Tokens for values, and their sealed map. */
export interface Tokens {
  /** The token of a value; one that `text` does not have already. */
  tokenFor(type: string, value: string, text: string): string;
  seal(key: Uint8Array): string;
}

/** Makes tokens: `[TYPE_CODE]`, where the code is chance and says nothing of the value. */
export function createTokens(
  randomBytes: (count: number) => Uint8Array = (count) => loadCrypto().randomBytes(count),
): Tokens {
  const tokens = new Map<string, string>();
  const values = new Map<string, string>();
  return {
    tokenFor(type, value, text) {
      const key = `${type} ${value}`;
      const known = tokens.get(key);
      if (known !== undefined) return `[${known}]`;
      const upper = text.toUpperCase();
      for (;;) {
        const code = toCode(randomBytes(CODE_LENGTH));
        const token = `${type.toUpperCase()}_${code}`;
        if (upper.includes(code) || values.has(token)) continue;
        tokens.set(key, token);
        values.set(token, value);
        return `[${token}]`;
      }
    },
    seal(key) {
      const iv = randomBytes(IV_BYTES);
      const cipher = loadCrypto().createCipheriv(CIPHER, checkKey(key), iv);
      cipher.setAAD(Buffer.from(VERSION));
      const plain = JSON.stringify([...values]);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
  };
}

/**
 * Puts the values back in place of their tokens. A token is known again in other letter case, with a
 * blank or a hyphen for an underscore, with or without its brackets, and beside any punctuation; what
 * is no token of this map stays. Without changes in between, the result is the text that was redacted.
 *
 * @param sealed what `Redactor.seal` gave
 * @param key the 32 bytes that it was sealed with
 * @throws RedactionError when the key is not the one, or the map is damaged
 */
export function restoreTokens(text: string, sealed: string, key: Uint8Array): string {
  return createRestorer(sealed, key)(text);
}

/** The same for any number of texts, with the map opened once. */
export function createRestorer(sealed: string, key: Uint8Array): (text: string) => string {
  const values = new Map(unseal(sealed, key).map(([token, value]) => [plainForm(token), value]));
  if (values.size === 0) return (text) => text;
  const names = [...new Set([...values.keys()].map((token) => token.slice(0, -CODE_LENGTH)))];
  const name = `(?:${names.map(looseName).join('|')})[${ALPHABET}]{${CODE_LENGTH}}`;
  const pattern = new RegExp(
    `\\[(${name})\\]|(?<![\\p{L}\\p{N}])(${name})(?![\\p{L}\\p{N}])`,
    'giu',
  );
  return (text) =>
    text.replace(
      pattern,
      (match, bracketed?: string, bare?: string) =>
        values.get(plainForm(bracketed ?? bare ?? '')) ?? match,
    );
}

function plainForm(token: string): string {
  return token.toUpperCase().replace(/[_\- ]/g, '');
}

/** The letters of a type, between any two of which a separator may stand. */
function looseName(name: string): string {
  const signs = [...name].map((sign) => sign.replace(/[^A-Z0-9]/g, '\\$&'));
  return `${signs.join('[_\\- ]?')}[_\\- ]?`;
}

function toCode(bytes: Uint8Array): string {
  return [...bytes].map((byte) => ALPHABET.charAt(byte & 15)).join('');
}

function checkKey(key: Uint8Array): Uint8Array {
  if (key.length === KEY_BYTES) return key;
  throw new RedactionError(`the key must have ${KEY_BYTES} bytes, not ${key.length}`);
}

function unseal(sealed: string, key: Uint8Array): [string, string][] {
  checkKey(key);
  const [version, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) {
    throw new RedactionError('the data is not a sealed token map');
  }
  const decipher = loadCrypto().createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(VERSION));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    const plain = Buffer.concat([body, decipher.final()]).toString('utf8');
    return JSON.parse(plain) as [string, string][];
  } catch (cause) {
    throw new RedactionError('the key does not belong to this token map, or the map is damaged', {
      cause,
    });
  }
}

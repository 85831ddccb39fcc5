import { loadCrypto } from '../crypto.ts';
import { RedactionError } from '../errors.ts';
import { ALPHABET, CODE_LENGTH } from './token-form.ts';
import type { TokenRestorer } from './token-restorer.ts';
import { restorerOf } from './token-restorer.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'r1';

/** Tokens for values, and their sealed map. */
export interface Tokens {
  /** The token of a value; one that its text does not have already. */
  tokenFor(place: TokenPlace): string;
  /** The values by the tokens that can be turned back. */
  values(): HeldTokens;
  seal(key: Uint8Array): string;
}

/** A value that gets a token. */
interface TokenPlace {
  readonly type: string;
  readonly value: string;
  readonly text: string;
  /** Whether the token can be turned back; default true. */
  readonly isKept?: boolean;
  /** Whether the value is a number of JSON, all of a string between quotation marks, or a part of a text. */
  readonly use: 'number' | 'string' | 'text';
}

/** Tokens that can be turned back. */
export interface HeldTokens {
  readonly values: ReadonlyMap<string, string>;
  /** The tokens of numbers, which lose the quotation marks around them. */
  readonly numbers: ReadonlySet<string>;
}

/** Where the codes of tokens come from. */
export interface TokenSource {
  /** Default node:crypto. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** Makes codes of the values, rather than of chance. */
  readonly key?: Uint8Array | undefined;
}

/**
 * Makes tokens: `[TYPE_CODE]`, where the code is chance, or made of the value with a key (HMAC-SHA-256), and says
 * nothing of the value either way.
 */
export function createTokens({
  randomBytes = (count) => loadCrypto().randomBytes(count),
  key: codeKey,
}: TokenSource = {}): Tokens {
  const tokens = new Map<string, string>();
  const made = new Set<string>();
  const values = new Map<string, string>();
  const numbers = new Set<string>();
  const strings = new Set<string>();
  const codeBytes = (type: string, value: string, attempt: number): Uint8Array => {
    if (codeKey === undefined) return randomBytes(CODE_LENGTH);
    const message = JSON.stringify([type, value, attempt]);
    return loadCrypto().createHmac('sha256', codeKey).update(message, 'utf8').digest();
  };
  const makeToken = (type: string, value: string, text: string): string => {
    const upper = text.toUpperCase();
    for (let attempt = 0; ; attempt++) {
      const code = toCode(codeBytes(type, value, attempt).subarray(0, CODE_LENGTH));
      const token = `${type.toUpperCase()}_${code}`;
      if (!upper.includes(code) && !made.has(token)) return token;
    }
  };
  return {
    tokenFor({ type, value, text, isKept = true, use }) {
      const plain = `${type} ${value}`;
      // Quotation marks around a token show that it was a number only while no string has the same token.
      const others = use === 'number' ? strings : numbers;
      const isOther = use !== 'text' && others.has(tokens.get(plain) ?? '');
      const name = isOther ? `${use} ${plain}` : plain;
      const token = tokens.get(name) ?? makeToken(type, value, text);
      tokens.set(name, token);
      if (use === 'number') numbers.add(token);
      if (use === 'string') strings.add(token);
      made.add(token);
      if (isKept) values.set(token, value);
      return `[${token}]`;
    },
    values: () => ({ values, numbers }),
    seal(key) {
      const iv = randomBytes(IV_BYTES);
      const cipher = loadCrypto().createCipheriv(CIPHER, checkKey(key), iv);
      cipher.setAAD(Buffer.from(VERSION));
      const entries = [...values].map((entry) => (numbers.has(entry[0]) ? [...entry, 1] : entry));
      const plain = JSON.stringify(entries);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
  };
}

/**
 * Replaces tokens with their values. A token is known again in another letter case, with a
 * blank or a hyphen for an underscore, with or without its brackets, next to any punctuation, with Markdown escapes
 * (`\[EMAIL\_X\]`), as entities, and wrapped over two lines. Where a token is percent-encoded (`%5BEMAIL_X%5D`), so
 * is its value. Other tokens stay. A token that stands for a number of JSON loses the quotation marks around it. Without changes in between, the result is the text that was redacted.
 *
 * @param sealed what `Redactor.seal` gave
 * @param key the 32 bytes that it was sealed with
 * @throws RedactionError when the key is not the one, or the map is damaged
 */
export function restoreTokens(text: string, sealed: string, key: Uint8Array): string {
  return createRestorer(sealed, key).restore(text);
}

/**
 * Opens a sealed map once, for any number of texts, and for texts that come in parts.
 *
 * @throws RedactionError when the key is not the one, or the map is damaged
 */
export function createRestorer(sealed: string, key: Uint8Array): TokenRestorer {
  const entries = unseal(sealed, key);
  return restorerOf({
    values: new Map(entries.map(([token, value]) => [token, value])),
    numbers: new Set(entries.flatMap(([token, , isNumber]) => (isNumber ? [token] : []))),
  });
}

/** A token, its value, and 1 for one of a number. */
type SealedToken = readonly [token: string, value: string, isNumber?: 1];

function toCode(bytes: Uint8Array): string {
  return [...bytes].map((byte) => ALPHABET.charAt(byte & 15)).join('');
}

function checkKey(key: Uint8Array): Uint8Array {
  if (key.length === KEY_BYTES) return key;
  throw new RedactionError(`the key must have ${KEY_BYTES} bytes, not ${key.length}`);
}

function unseal(sealed: string, key: Uint8Array): readonly SealedToken[] {
  checkKey(key);
  const [version, encoded = '', ...others] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  // Node passes over what is no letter of the encoding.
  const isWhole = others.length === 0 && bytes.toString('base64url') === encoded;
  if (version !== VERSION || !isWhole || bytes.length < IV_BYTES + TAG_BYTES) {
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
    return JSON.parse(plain) as readonly SealedToken[];
  } catch (cause) {
    throw new RedactionError('the key does not belong to this token map, or the map is damaged', {
      cause,
    });
  }
}

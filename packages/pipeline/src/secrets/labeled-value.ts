import { isNoPassword, isPlaceholder, isSequence, looksRandom } from './placeholders.ts';

/**
 * How a value is written: between quotation marks, after a sign or a verb that announces it, or
 * right after its label, where it may be any word.
 */
export type Writing = 'quoted' | 'announced' | 'told';

/** Values that refer to a secret that is kept elsewhere, addresses and tags. */
const REFERENCE =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|[.]{0,2}\/|#|\$[a-z_({]|%[a-z(]|!|arn:|vault:|env:|file:|enc[[(]|op:|ssm:|secretref:|javascript:|[({[<]|@\w+$|0x[0-9a-f]+$)/i;
const MAIL = /^[^@\s]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i;
/** Words with digits in sentences about passwords: algorithms, counts, dates, types and arguments of programs. */
const TECHNICAL =
  /^(?:sha[-_]?\d+|md\d|base\d+|utf[-_]?\d+|pbkdf\d?|oauth\d?|argon2\w*|[bs]crypt\d?|aes[-_]?\d*|rsa[-_]?\d*|u?int\d+\w*|[iufvx]\d[\d.]*|iso\d+|fido2|\d{1,4}[-_]?[a-z]+(?:-[a-z]+)*|\d{4}-\d\d(?:-\d\d)?(?:T.*)?|(?:arg|param|field|input|value|val|var|str|string|user|name|key|text|line|item|col|row|data|step|page|section|chapter|option|level|version)\d{1,2})$/i;
const WORD_WITH_NUMBER = /^(?:\p{L}+-?\d{1,2}|[\d.,:/-]+%?)$/u;
const MEMBER_CHAIN = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const SYMBOL = /[!@#$%^&*+=?~]/;
const WORDS = /^[\p{L}_-]+$/u;
const PASSPHRASE = /^\p{L}+(?:[_-]\p{L}+){2,}$/u;
const MIN_LENGTH = 6;
const MIN_TOLD = 8;
/** The fewest letters of a password that has letters only. */
const LONG_WORDS = 16;
const MIN_KEY = 16;

/** Whether the value of a label for a password is a password, not a word about it. */
export function isPassword(value: string, writing: Writing): boolean {
  if (value.length < (writing === 'told' ? MIN_TOLD : MIN_LENGTH)) return false;
  if (isReference(value) || isNoPassword(value) || isPlaceholder(value)) return false;
  if (/\s/.test(value)) return false;
  if (TECHNICAL.test(value) || MAIL.test(value)) return false;
  if (writing === 'told' && WORD_WITH_NUMBER.test(value)) return false;
  const hasLetter = /\p{L}/u.test(value);
  if (/\d/.test(value)) return hasLetter || (/^\d{6,}$/.test(value) && !isSequence(value));
  if (writing !== 'told' && (writing === 'quoted' ? WORDS : PASSPHRASE).test(value)) {
    return value.length >= LONG_WORDS;
  }
  return writing !== 'told' && hasLetter && SYMBOL.test(value.slice(0, -1));
}

/** Whether the value of a label for a key or a token is one. */
export function isKey(value: string, writing: Writing): boolean {
  if (value.length < MIN_KEY || writing === 'told' || isReference(value)) return false;
  // The pairs of a cookie are the only values with blanks.
  if (/(?<!;)\s/.test(value)) return false;
  if (isPlaceholder(value) || isSequence(value) || !looksRandom(value)) return false;
  return (value.match(/\d/g) ?? []).length >= (writing === 'quoted' ? 2 : 3);
}

function isReference(value: string): boolean {
  return REFERENCE.test(value) || MEMBER_CHAIN.test(value);
}

const SIGNS = /[A-Za-z0-9]/g;
/** Words and fillings that stand in documentation where a value is to be put. */
const FILLED =
  /([xX*.])\1{4}|0{10}|(.)\2{7}|your[-_ ]?|example|placeholder|dummy|sample|change.?me|replace|insert|redact|secret.?here|token.?here|key.?here|<|\$\{|\{\{|%s/i;
const SEQUENCE = /01234567|12345678|23456789|abcdefgh|bcdefghi|cdefghij|abcdef0123|abcdef1234/i;
/** Words, variables and fillings that documentation has instead of a password. */
const NO_PASSWORD =
  /^(?:[a-z_-]{0,12}pass(?:word|wd)?\d{0,3}|pwd|pw|p|secret|changeme|change-me|test|guest|root|admin|user|foo|bar|baz|b|example|mypass(?:word)?|my_password|my-password|your.*|hunter2|null|undefined|none|empty|string|token|\d{1,4}|x-oauth-basic|port|\*+|x+|X+|\.{2,}|.*(?:\$\{|\{\{|\$\(|<|\{[a-z_]).*|\$[A-Za-z_].*|%[A-Za-z(].*|:.*|\[.*|\{.*|redacted.*|.*placeholder.*|.*(?:pass|word)[_-]?here.*)$/i;
const MIN_VARIETY = 5;
const SHORT = 20;

/** Whether a value only shows where a secret goes: fillings such as `xxxx`, `your-key-here`, one sign alone. */
export function isPlaceholder(value: string): boolean {
  if (FILLED.test(value)) return true;
  const signs = value.match(SIGNS) ?? [];
  return signs.length >= MIN_VARIETY * 2 && new Set(signs).size < MIN_VARIETY;
}

/** Whether a value counts up, as invented ones do. */
export function isSequence(value: string): boolean {
  return SEQUENCE.test(value);
}

/** Whether a value has the runs of zeros that base64 of binary data has. */
export function isBinary(value: string): boolean {
  return value.includes('AAA');
}

/** Entropy of the signs of a text in bits a sign (Shannon). */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}

/** Whether a value varies as one without digits does that is no word: letters of both cases, or digits among them. */
export function isDisordered(value: string): boolean {
  if (/\d/.test(value)) return true;
  return (value.match(/[a-z][A-Z]/g) ?? []).length >= 4;
}

/** Whether a value has letters and digits in the disorder of a random one. */
export function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const isHex = /^[0-9a-f-]+$/i.test(value);
  // Few signs have less entropy, however they were drawn.
  return entropyOf(value) >= (isHex || value.length < SHORT ? 2.8 : 3.3);
}

/** Whether a value fills the position of a password: a word, a variable, asterisks. */
export function isNoPassword(value: string): boolean {
  return NO_PASSWORD.test(value) || /^(.)\1*$/.test(value);
}

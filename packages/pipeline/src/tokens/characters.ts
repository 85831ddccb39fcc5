/** What a character is to the models: words are runs of letters, numbers runs of digits, all others stand alone. */
export const BLANK = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const MARK = 3;
/** A character that is a word by itself. */
const IDEOGRAPH = 4;

export const NEWLINE = 10;

const ASCII_KIND = new Uint8Array(128).map((_, code) => {
  const lower = code | 32;
  if (lower >= 97 && lower <= 122) return LETTER;
  if (code <= 32) return BLANK;
  return code >= 48 && code <= 57 ? DIGIT : MARK;
});

/** The kind of a UTF-16 unit. */
export function kindOf(code: number): number {
  return code < 128 ? (ASCII_KIND[code] as number) : kindBeyondAscii(code);
}

function kindBeyondAscii(code: number): number {
  if (code >= 0x2e80 && code <= 0xd7ff) return code >= 0xac00 ? LETTER : IDEOGRAPH;
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff) || code === 0xd7 || code === 0xf7) {
    return code === 0xa0 || code === 0xad || (code >= 0x2000 && code <= 0x200f) ? BLANK : MARK;
  }
  return code >= 0xd800 ? MARK : LETTER;
}

/** Whether a sign ends a sentence where a blank follows, or, of the wide ones, anywhere. */
export function isSentenceEnd(code: number): boolean {
  return (
    code === 46 ||
    code === 33 ||
    code === 63 ||
    (code > 127 && (code === 0x3002 || code === 0xff01 || code === 0xff1f))
  );
}

/** What a character is to the stages that compare words, case and names included. */
const OTHER = 0;
const LOWER = 1;
export const UPPER = 2;
const NUMBER = 3;
/** Of a script that writes words without blanks: every character is taken as a word of its own. */
const WIDE = 4;

const A_LETTER = /\p{L}|\p{M}/u;
const A_NUMBER = /\p{N}/u;
const PLAIN = /^[\p{L}\p{N}]$/u;
const A_CAPITAL = /\p{Lu}/u;
/** Classes that were looked up; 0 for the others. */
const KNOWN = new Uint8Array(0x1_0000);
const IS_KNOWN = 0x80;
const IS_PLAIN = 0x40;
const WORD_SHIFT = 3;

/** All that a UTF-16 unit is: {@link kindIn}, {@link wordKindIn} and {@link isPlainIn} take it apart. */
export function classOf(code: number): number {
  const known = KNOWN[code] as number;
  if (known !== 0) return known;
  const plain = isPlain(String.fromCharCode(code)) ? IS_PLAIN : 0;
  const made = IS_KNOWN | plain | kindOf(code) | (wordKindOf(code) << WORD_SHIFT);
  KNOWN[code] = made;
  return made;
}

/** What a class is to the models. */
export function kindIn(of: number): number {
  return of & 7;
}

/** What a class is to the stages that compare words. */
export function wordKindIn(of: number): number {
  return (of >> WORD_SHIFT) & 7;
}

/** Whether a class is that of a letter or a number. */
export function isPlainIn(of: number): boolean {
  return (of & IS_PLAIN) !== 0;
}

/** Whether a character, which may be of two units, is a letter or a number. */
export function isPlain(char: string): boolean {
  return PLAIN.test(char);
}

function wordKindOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return OTHER;
  if (isUnspaced(code)) return code >= 0x3000 && code <= 0x303f ? OTHER : WIDE;
  const char = String.fromCharCode(code);
  if (A_LETTER.test(char)) return A_CAPITAL.test(char) ? UPPER : LOWER;
  return A_NUMBER.test(char) ? NUMBER : OTHER;
}

function isUnspaced(code: number): boolean {
  return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff);
}

/** The lower-case form of a letter, one unit for one unit; other characters as they are. */
export function lowerOf(code: number): number {
  if (code < 128) return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
  if (wordKindIn(classOf(code)) !== UPPER) return code;
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
}

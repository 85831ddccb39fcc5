/** What the characters of a text are to the tokenizer. */
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

/** A sign that may end a sentence. */
export const SENTENCE_SIGN: RegExp = /[.!?…。！？\n]/;

/** The end of a sentence or a line with the blanks after it; the next sentence has begun. */
const END = /(?:[.!?…]["'”’»)\]*]*[ \t]+|[。！？][”」』]?[ \t]*|[ \t]*\n\s*)(?=\S)/gu;
/** The start of a text that may still belong to the sentence before. */
const GOES_ON = /^[\p{Ll}\p{N}]/u;
/** Signs of addresses, code, keys and encodings, a long word, and letters one by one. */
const UNSAFE =
  /[@＠\\`<>{}=|;$%&/^~_]|--|\S{30}|(?<![\p{L}'’])\p{L}[^\p{L}]{1,2}\p{L}(?![\p{L}'’])|(?![\n\t])\p{C}/u;
const DIGIT = /\p{N}/gu;
/** No number with fewer digits is personal data. */
const MANY_DIGITS = 5;
const QUOTES = [
  ['“', '”'],
  ['«', '»'],
  ['(', ')'],
  ['[', ']'],
] as const;

/**
 * How much of the start of a text is whole sentences in which nothing can still become a finding by what
 * follows: few digits, no address, code or key, no open quote or bracket. UTF-16 units.
 */
export function settledSentences(text: string): number {
  let settled = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const at = index + end.length;
    if (GOES_ON.test(text.slice(at, at + 2))) continue;
    if (!isSafe(text.slice(0, at))) break;
    settled = at;
  }
  return settled;
}

function isSafe(text: string): boolean {
  if (UNSAFE.test(text)) return false;
  if ((text.match(DIGIT)?.length ?? 0) >= MANY_DIGITS) return false;
  const countOf = (sign: string) => text.split(sign).length;
  if (countOf('"') % 2 === 0) return false;
  return QUOTES.every(([open, close]) => countOf(open) === countOf(close));
}

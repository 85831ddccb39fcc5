/** What stood between a word and the one before it; bits of `gap`. */
export const GAP = Object.freeze({
  /** A full stop, exclamation or question mark followed by a blank or a closing sign. */
  stop: 1,
  question: 2,
  line: 4,
  paragraph: 8,
  /** A comma, semicolon, colon, bracket or dash. */
  pause: 16,
  bullet: 32,
});

/** What the letters of a word look like; bits of `shape`. */
export const SHAPE = Object.freeze({
  capital: 1,
  digit: 2,
  /** More than one letter, all of them capital. */
  allCapitals: 4,
  /** A percent sign follows or a currency sign precedes. */
  percent: 8,
  currency: 16,
  letter: 32,
});

/** Takes one word: hash of its lower-case form, half-open range, and the bits of GAP and SHAPE. */
export type VisitWord = (
  hash: number,
  start: number,
  end: number,
  shape: number,
  gap: number,
) => void;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const WIDE = 4;
const LETTER = /\p{L}|\p{M}/u;
const NUMBER = /\p{N}/u;
const CAPITAL = /\p{Lu}/u;

const ASCII_KIND = new Uint8Array(128).map((_, code) => {
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  return code >= 0x30 && code <= 0x39 ? DIGIT : OTHER;
});

/** Letters and digits as they count in the hash of a word, in lower case; 0 for all other signs. */
const ASCII_LOWER = new Uint8Array(128).map((_, code) => {
  const kind = ASCII_KIND[code] as number;
  return kind === OTHER ? 0 : kind === UPPER ? code | 0x20 : code;
});

/** Scripts that write words without blanks: every character is taken as a word of its own. */
function isUnspaced(code: number): boolean {
  return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff);
}

function kindOf(code: number): number {
  if (code < 128) return ASCII_KIND[code] as number;
  // Latin and Greek and Cyrillic letters are by far the most; punctuation and blanks start at 0x2000.
  if (code >= 0xd800 && code <= 0xdfff) return OTHER;
  if (isUnspaced(code)) return code >= 0x3000 && code <= 0x303f ? OTHER : WIDE;
  const char = String.fromCharCode(code);
  if (LETTER.test(char)) return CAPITAL.test(char) ? UPPER : LOWER;
  return NUMBER.test(char) ? DIGIT : OTHER;
}

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** The hash that {@link scanWords} gives a word; `word` in lower case. */
export function hashWord(word: string): number {
  let hash = HASH_SEED;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), HASH_PRIME);
  }
  return hash ^ (hash >>> 15);
}

function lowerCode(code: number): number {
  if (code < 128) return code | 0x20;
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
}

/** An apostrophe between letters, or a separator between digits, belongs to the word. */
function joins(text: string, at: number, digits: boolean): boolean {
  const code = text.charCodeAt(at);
  const next = kindOf(text.charCodeAt(at + 1));
  if (code === 0x27) return !digits && (next === LOWER || next === UPPER);
  return digits && (code === 0x2c || code === 0x2e || code === 0x3a) && next === DIGIT;
}

function gapOf(code: number, gap: number, text: string, at: number): number {
  switch (code) {
    case 0x0a:
      return (gap & GAP.line) !== 0 ? gap | GAP.paragraph : gap | GAP.line;
    case 0x2e:
    case 0x21:
    case 0x3f: {
      const next = text.charCodeAt(at + 1);
      const ends = !(next > 32) || next === 0x22 || next === 0x27 || next === 0x29 || next === 0x5d;
      const mark = code === 0x3f ? GAP.question : 0;
      return ends || code !== 0x2e ? gap | GAP.stop | mark : gap;
    }
    case 0x2a:
    case 0x2022:
      return gap | GAP.bullet;
    case 0x2d:
      return (gap & GAP.line) !== 0 ? gap | GAP.bullet : gap | GAP.pause;
    case 0x2c:
    case 0x3a:
    case 0x3b:
    case 0x28:
    case 0x29:
      return gap | GAP.pause;
    case 0x3002:
    case 0x2026:
      return gap | GAP.stop;
    default:
      return gap;
  }
}

/**
 * Cuts a text into words without making strings: letters with inner apostrophes, numbers with inner
 * separators. Linear; returns the bits of the gap behind the last word.
 */
export function scanWords(text: string, visit: VisitWord): number {
  const length = text.length;
  let gap = GAP.line | GAP.paragraph;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (ASCII_KIND[code] as number) : kindOf(code);
    if (kind === OTHER) {
      if (code !== 0x20) gap = gapOf(code, gap, text, at);
      at++;
      continue;
    }
    at = scanWord(text, at, kind, gap, visit);
    gap = 0;
  }
  return gap;
}

function scanWord(
  text: string,
  start: number,
  first: number,
  gap: number,
  visit: VisitWord,
): number {
  const { length } = text;
  const digits = first === DIGIT;
  let hash = HASH_SEED;
  let uppers = 0;
  let letters = 0;
  let at = start;
  if (first === WIDE) {
    hash = Math.imul(hash ^ text.charCodeAt(at++), HASH_PRIME);
    letters++;
  }
  while (at < length && first !== WIDE) {
    const code = text.charCodeAt(at);
    let low = code < 128 ? (ASCII_LOWER[code] as number) : lowerOf(code);
    if (low === 0) {
      // The first sign of a word is one of its own; a sign within may belong to it as well.
      if (at === start || at + 1 >= length || !joins(text, at, digits)) break;
      low = code;
    } else {
      if (low !== code || (code >= 128 && kindOf(code) === UPPER)) uppers++;
      if (low > 0x39) letters++;
    }
    hash = Math.imul(hash ^ low, HASH_PRIME);
    at++;
  }
  let shape = digits ? SHAPE.digit : 0;
  if (first === UPPER) shape |= SHAPE.capital;
  if (letters > 0) shape |= SHAPE.letter;
  if (uppers > 1 && uppers === letters) shape |= SHAPE.allCapitals;
  if (text.charCodeAt(at) === 0x25) shape |= SHAPE.percent;
  if (digits && start > 0 && isCurrency(text.charCodeAt(start - 1))) shape |= SHAPE.currency;
  visit(hash ^ (hash >>> 15), start, at, shape, gap);
  return at;
}

/** What a sign beyond ASCII counts for in the hash of a word; 0 where it is in none, or one by itself. */
function lowerOf(code: number): number {
  const kind = kindOf(code);
  if (kind === OTHER || kind === WIDE) return 0;
  return kind === UPPER ? lowerCode(code) : code;
}

function isCurrency(code: number): boolean {
  return code === 0x24 || code === 0xa3 || code === 0x20ac || code === 0xa5;
}

import { CONFUSABLES, PUNCTUATION } from './confusables.ts';
import { INVISIBLE_CLASS } from './invisible.ts';
import type { TextView } from './text-view.ts';
import { alignedView, createViewBuilder } from './text-view.ts';

// Marks begin at U+0300. Their count is bounded: the normalizer sorts marks, and a hostile run of them must not be one cluster.
const CLUSTER =
  /[^ -~\t\n\v\f\r](?:(?=[\u0300-\u{10ffff}])\p{M}){0,16}|\p{ASCII}(?=[\u0300-\u{10ffff}])\p{M}{1,16}/gu;
const NON_ASCII = /\P{ASCII}/u;
// Neither printable ASCII nor an ASCII blank.
const UNUSUAL = /[^ -~\t\n\v\f\r]/;
const INVISIBLE = new RegExp(`(?![\\t\\n\\v\\f\\r\\u0085])[${INVISIBLE_CLASS}]`, 'gu');
const MARK = /\p{M}/gu;
// A mark on a digit or sign is ornament; one after 16 others, or after a character that was removed, too.
const ORNAMENT = /(?<=^[^\p{L}\p{M}])\p{M}+|^\p{Script=Inherited}+/u;
const DIGIT = /^\p{Nd}$/u;
const IS_MARK = /^\p{M}$/u;

/**
 * NFKC, characters that show nothing and controls removed, dashes, quotes and blanks unified, every decimal digit
 * as ASCII. Letter case is kept. Printable ASCII is returned as it is, without
 * a copy.
 */
export function normalizeView(source: TextView): TextView {
  if (!UNUSUAL.test(source.text)) return source;
  const builder = createViewBuilder(source);
  const known = new Map<string, string>();
  CLUSTER.lastIndex = 0;
  for (let match = CLUSTER.exec(source.text); match !== null; match = CLUSTER.exec(source.text)) {
    const cluster = match[0];
    let plain = known.get(cluster);
    if (plain === undefined) {
      plain = normalizeCluster(cluster);
      known.set(cluster, plain);
    }
    if (plain !== cluster) builder.replace(match.index, match.index + cluster.length, plain);
  }
  return builder.finish();
}

function normalizeCluster(cluster: string): string {
  const visible = cluster.normalize('NFKC').replace(INVISIBLE, '');
  // NFKC turns an acute accent that stands alone into a blank with a mark; that mark is no ornament.
  const plain = cluster.length === 1 ? visible : visible.replace(ORNAMENT, '');
  if (!NON_ASCII.test(plain)) return plain;
  if (DIGIT.test(plain)) return toAsciiDigit(plain);
  return PUNCTUATION.get(plain) ?? plain;
}

// Decimal digits come in runs of ten whose first code point is the zero; the run is found by walking down.
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

// Letters of ASCII first: in a text with wide characters, large classes take a call for each character.
const LATIN_WORD = /(?:[a-zA-Z]|(?=[\u0080-\u{10ffff}])[\p{L}\p{M}]){1,64}/gu;
const ASCII_LETTER = /[a-z]/;
const UPPER = /[A-Z]/;

/**
 * Lower case, without diacritics, and with look-alike letters of other scripts turned Latin in every
 * word that also has a Latin letter (a word wholly in Cyrillic or Greek stays what it is).
 */
export function foldView(normalized: TextView): TextView {
  if (!NON_ASCII.test(normalized.text)) return lowerAscii(normalized);
  const builder = createViewBuilder(normalized);
  LATIN_WORD.lastIndex = 0;
  for (
    let match = LATIN_WORD.exec(normalized.text);
    match !== null;
    match = LATIN_WORD.exec(normalized.text)
  ) {
    foldWord(match[0], match.index, builder.replace);
  }
  return builder.finish();
}

function lowerAscii(view: TextView): TextView {
  return UPPER.test(view.text) ? alignedView(view.text.toLowerCase(), view) : view;
}

function foldWord(
  word: string,
  offset: number,
  replace: (start: number, end: number, text: string) => void,
): void {
  const plain = stripMarks(word.toLowerCase());
  if (plain.length === word.length && !NON_ASCII.test(plain)) {
    if (plain !== word) replace(offset, offset + word.length, plain);
    return;
  }
  const mixed = ASCII_LETTER.test(plain);
  let at = offset;
  for (const char of word) {
    const folded = foldChar(char, mixed);
    if (folded !== char) replace(at, at + char.length, folded);
    at += char.length;
  }
}

// A vowel sign of Devanagari is a mark as well; only on Latin letters marks are ornament.
function foldChar(char: string, mixed: boolean): string {
  if (IS_MARK.test(char)) return mixed ? '' : char;
  const twin = mixed ? CONFUSABLES.get(char) : undefined;
  if (twin !== undefined) return twin.toLowerCase();
  const lower = char.toLowerCase();
  if (lower === 'ß') return 'ss';
  // The form at the end of a word; capitals have one form only.
  if (lower === 'ς' && !mixed) return 'σ';
  return (mixed ? CONFUSABLES.get(lower) : undefined) ?? stripMarks(lower);
}

// Cyrillic short i and yo and the like are letters of their own; only Latin letters lose their marks.
function stripMarks(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  const bare = text.normalize('NFD').replace(MARK, '');
  return ASCII_LETTER.test(bare) || bare === '' ? bare : text;
}

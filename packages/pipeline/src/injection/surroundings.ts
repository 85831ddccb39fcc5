import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';
import { LETTER } from '../tokens/characters.ts';
import { MARKS, ROW } from '../tokens/token-row.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { firstRowFrom } from '../tokens/tokens.ts';
import type { TextRange } from '../types.ts';

const REACH = 400;
/** The words that mark prose, and prose about attacks, as global expressions over text in lower case. */
export interface ProseWords {
  readonly functionWord: RegExp;
  readonly discussionWord: RegExp;
}

/** Joins the words of languages; a word inside an address is no prose. */
export function proseWords(languages: readonly LanguageData[]): ProseWords {
  const functionWords = wordsIn(languages, ({ injection }) => injection?.functionWords);
  const discussionWords = wordsIn(languages, ({ injection }) => injection?.discussionWords);
  const end = '(?![\\w@-]|\\.\\w)';
  return {
    functionWord: new RegExp(`(?<![\\w.@'"-])(?:${anyOf(functionWords)})${end}`, 'g'),
    discussionWord: new RegExp(`(?<![\\w.@-])(?:${anyOf(discussionWords)})${end}`, 'g'),
  };
}

const KNOWN_WORDS = proseWords(LANGUAGES);

/** What stands around a place in a text, as far as it bears on whether code there is an attack. */
export interface Surroundings {
  /** Function words near the place: how much this is running prose. */
  readonly functionWords: number;
  /** Words of teaching and defending near the place. */
  readonly discussionWords: number;
  /** Whether the place is inside a Markdown code fence or code span. */
  readonly inCode: boolean;
  /** The text of the line before the place, at most 400 characters of it. */
  readonly lineBefore: string;
}

/** Reads the surroundings of `place` in a text in lower case. */
export function readSurroundings(
  text: string,
  place: TextRange,
  { functionWord, discussionWord } = KNOWN_WORDS,
): Surroundings {
  const from = Math.max(0, place.start - REACH);
  const before = text.slice(from, place.start);
  const after = text.slice(place.end, place.end + REACH);
  const around = `${before} ${after}`;
  return {
    functionWords: around.match(functionWord)?.length ?? 0,
    discussionWords: around.match(discussionWord)?.length ?? 0,
    inCode: isInCode(text, place),
    lineBefore: before.slice(before.lastIndexOf('\n') + 1),
  };
}

/** So many words of grammar beside code make its line one of prose. */
export const PROSE_LINE = 2;

/**
 * The surroundings of code: a line that has nothing but code, in no block of code, stands by itself,
 * since it may have been put beside prose; otherwise the lines around it count as well.
 */
export function readCodeSurroundings(
  text: string,
  place: TextRange,
  words = KNOWN_WORDS,
): Surroundings {
  const whole = readSurroundings(text, place, words);
  if (whole.inCode || whole.functionWords === 0) return whole;
  const lineEnd = text.indexOf('\n', place.end);
  const after = text.slice(place.end, lineEnd < 0 ? text.length : lineEnd).slice(0, REACH);
  const line = `${whole.lineBefore} ${after}`;
  const functionWords = line.match(words.functionWord)?.length ?? 0;
  if (functionWords >= PROSE_LINE) return whole;
  return {
    ...whole,
    functionWords,
    discussionWords: line.match(words.discussionWord)?.length ?? 0,
  };
}

function isInCode(text: string, { start, end }: TextRange): boolean {
  const lead = text.slice(Math.max(0, start - 2000), start);
  const fences = lead.split('```').length - 1;
  if (fences % 2 === 1) return true;
  const lineStart = lead.lastIndexOf('\n') + 1;
  const open = lead.slice(lineStart).split('`').length - 1;
  return (
    open % 2 === 1 &&
    text
      .slice(end, end + 200)
      .split('\n', 1)[0]
      ?.includes('`') === true
  );
}

/** Shorter texts need no grammar. */
const SHORT = 120;
/** In prose of the languages whose words are known, that many characters have a word of grammar. */
const SPARSE = 400;
const OTHER_LETTERS = /[^\s!-~]/;

/**
 * Whether what stands at `place` may be prose: it is short, has letters beyond ASCII, or words of
 * grammar. Lists and tables of values have none, however many words of an attack are among them, and a
 * list that repeats one word before each of its values has no other word.
 */
export function mayBeProse(
  tokens: Tokens,
  place: TextRange,
  { functionWord } = KNOWN_WORDS,
): boolean {
  const { start, end } = place;
  const part = tokens.text.slice(start, end);
  if (repeatsOneWord(tokens, place)) return false;
  if (end - start < SHORT) return true;
  const words = part.match(functionWord)?.length ?? 0;
  return words * SPARSE >= part.length || OTHER_LETTERS.test(part);
}

/** So many words are needed to recognize a list that repeats one of them. */
const LISTED = 5;

function repeatsOneWord(tokens: Tokens, { start, end }: TextRange): boolean {
  const { rows, width } = tokens;
  const counts = new Map<number, number>();
  let words = 0;
  let most = 0;
  for (let row = firstRowFrom(tokens, start); row < rows.length; row += width) {
    if ((rows[row + tokens.start] as number) >= end) break;
    const marks = rows[row + ROW.marks] as number;
    if ((marks & MARKS.isAscii) === 0 || (marks & MARKS.kind) !== LETTER) continue;
    if (wordGoesOn(tokens, row)) continue;
    const hash = rows[row + ROW.hash] as number;
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    words++;
    most = Math.max(most, count);
  }
  return words >= LISTED && most > words / 2;
}

/** Whether the run of letters that a row is of goes on in the next one. */
function wordGoesOn({ rows, width }: Tokens, row: number): boolean {
  const next = row + width;
  return next < rows.length && ((rows[next + ROW.marks] as number) & MARKS.goesOn) !== 0;
}

const LEGAL_WORD =
  /\b(?:licen[sc](?:e|es|ed|ees?|ors?|ing)|sublicens(?:e|es|ed|ing)|warrant(?:y|ies)|liab(?:le|ility|ilities)|copyrights?|hereby|herein|hereunder|thereof|redistribut(?:e|es|ed|ion|ions|ing)|royalty-free|disclaimers?|indemnif\w{1,6}|infring\w{1,7}|covenants?|patents?|provisions?|merchantability|terms and conditions|third part(?:y|ies))\b/g;
/** So many different words of law near a place make its text one of law. */
const LEGAL_WORDS = 4;

/**
 * Whether `place`, in a text in lower case, stands in a licence or a contract, by the words of law near
 * it. These grant, restrict and override all the time, and are no orders to a model.
 */
export function isLegalText(text: string, { start, end }: TextRange): boolean {
  const around = text.slice(Math.max(0, start - REACH), end + REACH);
  return new Set(around.match(LEGAL_WORD)).size >= LEGAL_WORDS;
}

/**
 * How much less likely the surroundings make an attack, in log-odds: code that is explained, quoted in
 * Markdown, or set in prose about defense is no attempt at an attack.
 */
export function proseAdjustment({ functionWords, discussionWords, inCode }: Surroundings): number {
  const prose = functionWords >= 4 || (functionWords >= 2 && discussionWords > 0);
  let sum = 0;
  if (inCode && functionWords >= 2) sum -= 2.5;
  else if (inCode) sum -= 1;
  if (prose && discussionWords > 0) sum -= Math.min(4.5, 2.5 + 0.75 * discussionWords);
  if (functionWords >= 12) sum -= 0.5;
  return sum;
}

const APOSTROPHE = /(?<=\w)'(?=\w)/g;

/**
 * Whether the quote at `quoteAt` ends a literal that begins earlier on its line, as in
 * `print('a') # note`: an attack ends a literal that its text did not begin.
 */
export function closesOwnLiteral(text: string, quoteAt: number): boolean {
  const before = text.slice(Math.max(0, quoteAt - REACH), quoteAt);
  const line = before.slice(before.lastIndexOf('\n') + 1).replace(APOSTROPHE, '');
  return (line.split(text.charAt(quoteAt)).length - 1) % 2 === 1;
}

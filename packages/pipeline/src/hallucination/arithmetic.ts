import { KIND } from '../language/lexicon.ts';
import type { WordSpan, Words } from '../language/words.ts';

/** Words and signs of a sentence that computes a number. */
const ARITHMETIC =
  /[=×÷]|\d\s?[x*+]\s?\d|\b(?:total|altogether|in all|sum|makes?|comes? to|come out|adds? up|add up|that is|that's|which is|so .{1,60} (?:is|are|pay|pays|costs?|need)|together|double[ds]?|twice|triple|half|per (?:year|month|week|day|person|head|hour)|a (?:year|month|week|day)|each|remaining|left|difference)\b/i;
const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:double[ds]?|twice|both|half|halve[ds]?)\b/i, 2],
  [/\b(?:triple[ds]?|thrice)\b/i, 3],
  [/\b(?:per|a|each|every) year\b|\byearly\b|\bannual/i, 12],
];
/** The prompt of a claim, and its numbers. */
interface AskedNumbers {
  readonly text: string;
  readonly numbers: readonly number[];
}

/** So exact a result has to be, relative to it. */
const EXACT = 0.0006;
/** Numbers up to this one may be counts that nothing gives, as in "for 4 people that makes 80". */
const LARGEST_COUNT = 12;
/** Operands that are tried at most. */
const MOST = 40;

/**
 * Whether a sentence computes correctly from numbers that it has: each of its numbers that the source does not have is
 * the sum or difference of two others of the sentence, or the product or quotient of one of these and one
 * of the source. A bare result ("so the result is 58") is no such sentence.
 *
 * @param text the sentence
 * @param numbers gives those of the source
 * @param asked the prompt, with its numbers
 * @param sums further words that say that a number is computed
 */
export function isCorrectArithmetic(
  text: string,
  { words, from, to }: WordSpan,
  numbers: () => ReadonlySet<number>,
  asked: AskedNumbers = { text: '', numbers: [] },
  sums?: RegExp,
): boolean {
  const both = `${asked.text} ${text}`;
  if (!ARITHMETIC.test(both) && sums?.test(both) !== true) return false;
  const given = numbers();
  const own = new Set<number>(asked.numbers);
  const stated: number[] = [];
  for (const value of numbersOf(words, from, to)) {
    if (given.has(value)) own.add(value);
    else stated.push(value);
  }
  for (const [pattern, factor] of FACTORS) if (pattern.test(text)) own.add(factor);
  if (stated.length === 0 || own.size > MOST || given.size > 10 * MOST) return false;
  for (const value of stated) {
    const isCount = Number.isInteger(value) && value > 1 && value <= LARGEST_COUNT;
    const others = stated.filter((other) => other !== value);
    if (isCount && others.some((other) => isResult(other, [...own, value], given))) own.add(value);
  }
  let open = stated.filter((value) => !own.has(value));
  while (open.length > 0) {
    const reached = open.filter((value) => isResult(value, [...own], given));
    if (reached.length === 0) return false;
    for (const value of reached) own.add(value);
    open = open.filter((value) => !own.has(value));
  }
  return true;
}

function isResult(value: number, own: readonly number[], given: ReadonlySet<number>): boolean {
  const same = (result: number) => Math.abs(result - value) <= EXACT * Math.abs(value);
  for (const a of own) {
    for (const b of own) if (same(a + b) || same(a - b) || same(a * b) || same(a / b)) return true;
    for (const b of given) if (same(a * b) || same(a / b) || same(b / a)) return true;
  }
  return false;
}

/** The numbers among some words. */
export function numbersOf(words: Words, from: number, to: number): Set<number> {
  const values = new Set<number>();
  for (let at = from; at < to; at++) {
    if (((words.kinds[at] as number) & KIND.number) === 0) continue;
    const value = words.entries[at]?.value ?? Number.NaN;
    if (Number.isFinite(value)) values.add(value);
  }
  return values;
}

import type { TextRange } from '../types.ts';
import type { JsonNumber, JsonNumbers } from './json-numbers.ts';
import { createJsonNumbers } from './json-numbers.ts';
import type { RedactionMark } from './redactor.ts';

/** What several numbers of a list have between them. */
const BETWEEN = /^[-\d.,eE+\s]*$/;
const BRACKET = /[[{]/;
const DIGIT = /\d/;

/**
 * Marks of numbers in JSON cover the whole number, and its replacement gets quotation marks: JSON stays JSON.
 *
 * @param marks in order, without overlaps
 */
export function quoteNumbers(text: string, marks: readonly RedactionMark[]): RedactionMark[] {
  const isPossible = marks.some((mark) => isNumeric(text, mark)) && BRACKET.test(text);
  if (!isPossible) return [...marks];
  return quoteMarks(text, 0, marks, numbersOf(createJsonNumbers(), text, ''));
}

/** The numbers that a part of a text has, also where it ends with one that `rest` confirms. */
export function numbersOf(reader: JsonNumbers, text: string, rest: string): readonly JsonNumber[] {
  const numbers = reader.feed(text);
  const last = reader.last(rest);
  return last.length === 0 ? numbers : [...numbers, ...last];
}

/**
 * The same with numbers that are known.
 *
 * @param from where `text` begins: offsets of marks and numbers count from there back
 */
export function quoteMarks(
  text: string,
  from: number,
  marks: readonly RedactionMark[],
  numbers: readonly JsonNumber[],
): RedactionMark[] {
  let index = 0;
  return marks.map((mark) => {
    while ((numbers[index]?.end ?? Number.POSITIVE_INFINITY) <= mark.start) index++;
    const first = numbers[index];
    if (mark.quote !== undefined || first === undefined || first.start >= mark.end) return mark;
    let last = first;
    for (let at = index + 1; (numbers[at]?.start ?? mark.end) < mark.end; at++) {
      last = numbers[at] as JsonNumber;
    }
    const start = Math.min(mark.start, first.start);
    const end = Math.max(mark.end, last.end);
    if (!BETWEEN.test(text.slice(start - from, end - from))) return mark;
    return { ...mark, start: first.start, end: last.end, quote: first.quote };
  });
}

/**
 * A range with the rest of the number that it is in: its sign, its fraction, its exponent.
 *
 * @param from where `text` begins
 */
export function withNumber<Range extends TextRange>(
  range: Range,
  text: string,
  from: number,
): Range {
  const [before] = NUMBER_BEFORE.exec(text.slice(0, range.start - from).slice(-MAX_REST)) ?? [''];
  const [after] = NUMBER_AFTER.exec(text.slice(range.end - from).slice(0, MAX_REST)) ?? [''];
  return { ...range, start: range.start - before.length, end: range.end + after.length };
}

/** A longer rest of a number is not waited for. */
const MAX_REST = 40;
const NUMBER_BEFORE = /[\d.eE+-]*$/;
const NUMBER_AFTER = /^[\d.eE+-]*/;

function isNumeric(text: string, { start, end, quote }: RedactionMark): boolean {
  return (
    quote === undefined && DIGIT.test(text.charAt(end - 1)) && BETWEEN.test(text.slice(start, end))
  );
}

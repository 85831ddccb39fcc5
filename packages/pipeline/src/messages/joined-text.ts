import type { TextRange } from '../types.ts';
import type { MessageText } from './message-place.ts';
import type { Steps } from './steps.ts';
import { isLongText, isStepDue, runAtOnce } from './steps.ts';
import type { TextPath } from './text-path.ts';

/** Texts of a conversation joined into one that is scanned. */
export interface JoinedText {
  readonly text: string;
  readonly texts: readonly MessageText[];
  /**
   * The places of the texts that a range of the joined text covers, as ranges in these texts. A range
   * across two texts has two.
   */
  placesOf(range: TextRange): readonly JoinedPlace[];
}

/** A range of one of the joined texts. */
interface JoinedPlace extends TextRange {
  readonly of: MessageText;
}

/**
 * Joins texts: a line each, and the name of a JSON member before its value on the same one. In what a tool answers, truth
 * values stand there as well, and a blank line stands where another element of a list begins.
 *
 * @param separator what stands between two texts; default a line end
 */
export function joinTexts(texts: readonly MessageText[], separator = '\n'): JoinedText {
  return runAtOnce(joinSteps(texts, separator));
}

/** The steps of {@link joinTexts}. */
export function joinSteps(texts: readonly MessageText[], separator = '\n'): Steps<JoinedText> {
  return joinWith(texts, (each, index) => glueBehind(each, index, texts, separator));
}

/**
 * Joins texts, of which one may occur several times.
 * @param glueOf what follows a text, by its index
 */
export function* joinWith(
  texts: readonly MessageText[],
  glueOf: (text: MessageText, index: number) => string,
): Steps<JoinedText> {
  const starts: number[] = [];
  const joined: string[] = [];
  let parts: string[] = [];
  let length = 0;
  for (const [index, each] of texts.entries()) {
    if (isStepDue()) {
      joined.push(parts.join(''));
      parts = [];
      yield;
    }
    const glue = glueOf(each, index);
    starts.push(length);
    parts.push(each.text, glue);
    length += each.text.length + glue.length;
  }
  const text = [...joined, ...parts].join('');
  if (isLongText(text)) yield;
  return {
    text,
    texts,
    placesOf({ start, end }) {
      const places: JoinedPlace[] = [];
      for (let index = lastUpTo(starts, start); index < texts.length; index++) {
        const from = starts[index] as number;
        const of = texts[index] as MessageText;
        if (from >= end) break;
        const place = {
          of,
          start: Math.max(0, start - from),
          end: Math.min(of.text.length, end - from),
        };
        if (place.start < place.end) places.push(place);
      }
      return places;
    },
  };
}

function glueBehind(
  text: MessageText,
  index: number,
  texts: readonly MessageText[],
  separator: string,
): string {
  const { isName, literal, use } = text;
  const value = literal !== undefined && use === 'context' ? `: ${literal}` : '';
  const isLast = index === texts.length - 1;
  // What follows the last text would be part of no message.
  if (isLast) return value;
  if (isName && value === '') return ': ';
  const isApart = use === 'context' && elementOf(text) !== elementOf(valueFrom(texts, index + 1));
  return value + (isApart ? separator + separator : separator);
}

/** The text at a place or, where names stand there, what follows them on their line. */
function valueFrom(texts: readonly MessageText[], from: number): MessageText {
  let at = from;
  while (at < texts.length - 1 && texts[at]?.isName && texts[at]?.literal === undefined) at++;
  return texts[at] as MessageText;
}

/** The innermost element of a list that holds a text of a JSON value, by its path. */
function elementOf({ path, content }: MessageText): TextPath | undefined {
  if (content !== undefined) return undefined;
  let at = path.parent;
  while (at !== undefined && typeof at.key !== 'number') at = at.parent;
  return at;
}

/** The last index whose number is not above `value`; 0 without one. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

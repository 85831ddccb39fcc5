import type { TextRange } from '../types.ts';
import type { MessageText } from './message-place.ts';

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
 * Joins texts: a line each, and the name of a JSON member before its value on the same one.
 *
 * @param separator what stands between two texts; default a line end
 */
export function joinTexts(texts: readonly MessageText[], separator = '\n'): JoinedText {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { text, isName } of texts) {
    const glue = isName ? ': ' : separator;
    starts.push(length);
    parts.push(text, glue);
    length += text.length + glue.length;
  }
  return {
    // What follows the last text would be part of no message.
    text: parts.slice(0, -1).join(''),
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

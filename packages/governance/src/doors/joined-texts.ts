import type { RedactionMark, Redactor } from '@probity/pipeline';
import type { DoorText, TextUse } from './types.ts';

/** Between two texts of a field, so that none runs into the next. */
const SEPARATOR = '\n\n';

/** A text of a field, with its place there. */
interface Part {
  /** Index in the list of all texts. */
  readonly index: number;
  readonly text: string;
  readonly start: number;
}

/** The texts of one use as one text. */
export interface JoinedField {
  readonly use: TextUse;
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Joins the texts of each use, which are scanned together. Empty texts have no part. */
export function joinTexts(texts: readonly DoorText[]): JoinedField[] {
  return (['system', 'prompt', 'response'] as const).flatMap((use) => {
    const parts: Part[] = [];
    let length = 0;
    for (const [index, each] of texts.entries()) {
      if (each.use !== use || each.text === '') continue;
      const start = parts.length === 0 ? 0 : length + SEPARATOR.length;
      parts.push({ index, text: each.text, start });
      length = start + each.text.length;
    }
    if (parts.length === 0) return [];
    return [{ use, text: parts.map(({ text }) => text).join(SEPARATOR), parts }];
  });
}

/**
 * A redactor that replaces in each text by itself, so that each can be passed on in its place. It is told no field: where
 * two fields are the same text, what is marked in one is replaced in both.
 * @param masks gets the texts in which something is replaced, by their index
 */
export function maskParts(
  redactor: Redactor,
  joined: readonly JoinedField[],
  masks: Map<number, string>,
): Redactor {
  const marked = new Map<string, readonly RedactionMark[]>();
  return {
    seal: redactor.seal,
    redact(text, marks) {
      const parts = joined.filter((each) => each.text === text).flatMap((each) => each.parts);
      if (parts.length === 0 || marks.length === 0) return text;
      const all = [...(marked.get(text) ?? []), ...marks];
      all.sort((left, right) => left.start - right.start);
      marked.set(text, all);
      const marksIn = createMarkSearch(all);
      for (const part of parts) {
        const own = marksIn(part);
        if (own.length > 0) masks.set(part.index, redactor.redact(part.text, own));
      }
      // The texts that are passed on are the masks; of the whole nothing is.
      return text;
    },
  };
}

/**
 * The marks within a part, at their places there; one that reaches beyond it is cut. Both may be many: each search takes
 * the logarithm of all marks and the number of its own.
 * @param marks by their starts
 */
function createMarkSearch(marks: readonly RedactionMark[]) {
  // The furthest end up to each mark: those before the first that reaches into a part all end before it.
  const reaches: number[] = [];
  for (const { end } of marks) reaches.push(Math.max(end, reaches.at(-1) ?? 0));
  const firstBeyond = (place: number): number => {
    let low = 0;
    let high = reaches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((reaches[middle] ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return ({ start, text }: Part): RedactionMark[] => {
    const own: RedactionMark[] = [];
    for (let at = firstBeyond(start); at < marks.length; at += 1) {
      const mark = marks[at] as RedactionMark;
      if (mark.start >= start + text.length) break;
      const from = Math.max(0, mark.start - start);
      const to = Math.min(text.length, mark.end - start);
      if (from < to) own.push({ type: mark.type, score: mark.score, start: from, end: to });
    }
    return own;
  };
}

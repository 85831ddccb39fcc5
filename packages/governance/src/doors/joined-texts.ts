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
 * A redactor that replaces in each text by itself, so that each can be passed on in its place.
 * @param masks gets the texts in which something is replaced, by their index
 */
export function maskParts(
  redactor: Redactor,
  joined: readonly JoinedField[],
  masks: Map<number, string>,
): Redactor {
  return {
    seal: redactor.seal,
    redact(text, marks) {
      const field = joined.find((each) => each.text === text);
      if (!field || marks.length === 0) return text;
      const masked = field.parts.map((part) => {
        const own = marksIn(part, marks);
        if (own.length === 0) return part.text;
        const replaced = redactor.redact(part.text, own);
        masks.set(part.index, replaced);
        return replaced;
      });
      return masked.join(SEPARATOR);
    },
  };
}

/** The marks within a part, at their places there; one that reaches beyond it is cut. */
function marksIn({ start, text }: Part, marks: readonly RedactionMark[]): RedactionMark[] {
  return marks.flatMap((mark) => {
    const from = Math.max(0, mark.start - start);
    const to = Math.min(text.length, mark.end - start);
    return from < to ? [{ type: mark.type, score: mark.score, start: from, end: to }] : [];
  });
}

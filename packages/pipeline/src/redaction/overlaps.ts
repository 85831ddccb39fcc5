import type { RedactionMark } from './redactor.ts';

/** Marks in order, without overlaps: those that overlap become one, with the type of the surest. */
export function mergeOverlaps(marks: readonly RedactionMark[]): RedactionMark[] {
  const merged: RedactionMark[] = [];
  for (const mark of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || mark.start >= last.end) {
      merged.push(mark);
      continue;
    }
    const { type, score } = mark.score > last.score ? mark : last;
    const end = Math.max(last.end, mark.end);
    merged[merged.length - 1] = { type, score, start: last.start, end };
  }
  return merged;
}

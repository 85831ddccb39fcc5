import { insertIfFree } from '../insert-if-free.ts';

/** A place with the confidence that it is what a detector says. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/**
 * Of overlapping places keeps the most certain, of equally certain ones the longest, and returns them
 * in order of their start. For the few findings of one block.
 */
export function bestMatches<Found extends Match>(found: readonly Found[]): Found[] {
  if (found.length < 2) return [...found];
  const kept: Found[] = [];
  let cluster: Found[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const close = () => {
    cluster.sort((a, b) => b.score - a.score || b.end - b.start - (a.end - a.start));
    const chosen: Found[] = [];
    for (const next of cluster) insertIfFree(chosen, next);
    for (const next of chosen) kept.push(next);
  };
  for (const next of [...found].sort((a, b) => a.start - b.start)) {
    if (next.start >= end) {
      close();
      cluster = [];
    }
    cluster.push(next);
    end = Math.max(end, next.end);
  }
  close();
  return kept;
}

import type { CueReader } from './cues.ts';

/** A possible piece of personal data; offsets are those of the view that was searched. */
export interface Candidate {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Confidence, 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/** Finds one type in a normalized text, in linear time; `cues` reads the words of the same text. */
export type PiiDetector = (text: string, cues: CueReader) => readonly Candidate[];

/** Candidates below this confidence are dropped. */
export const MIN_SCORE = 0.5;

/**
 * Resolves overlaps: of overlapping candidates the most confident stays, of equally confident ones
 * the longest. Returns them in order of their start.
 */
export function resolveOverlaps<T extends Candidate>(candidates: readonly T[]): T[] {
  const kept: T[] = [];
  let cluster: T[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const close = () => {
    if (cluster.length === 1) kept.push(cluster[0] as T);
    else if (cluster.length > 1)
      for (const candidate of resolveCluster(cluster)) kept.push(candidate);
  };
  for (const candidate of [...candidates].sort((a, b) => a.start - b.start)) {
    if (candidate.start >= end) {
      close();
      cluster = [];
    }
    cluster.push(candidate);
    end = Math.max(end, candidate.end);
  }
  close();
  return kept;
}

function resolveCluster<T extends Candidate>(cluster: readonly T[]): T[] {
  const ranked = [...cluster].sort(
    (a, b) => b.score - a.score || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const kept: T[] = [];
  for (const candidate of ranked) insertIfFree(kept, candidate);
  return kept;
}

// `kept` stays sorted and free of overlaps, so its two neighbors are the only ones to compare with.
function insertIfFree<T extends Candidate>(kept: T[], candidate: T): void {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((kept[middle] as T).start < candidate.start) low = middle + 1;
    else high = middle;
  }
  const previous = kept[low - 1];
  const next = kept[low];
  if (previous !== undefined && previous.end > candidate.start) return;
  if (next !== undefined && next.start < candidate.end) return;
  kept.splice(low, 0, candidate);
}

import { combinedPiiRisk } from '../risk.ts';
import type { Finding, ScanResult, Scores, StageName, TextRange } from '../types.ts';

/** The findings that a stream has told so far. */
export interface EarlyFindings {
  /** Adds findings and returns those that are new. */
  add(findings: readonly Finding[]): Finding[];
  /** Those of the response that reach beyond a place. */
  endingAfter(place: number): Finding[];
  /** The result of a scan that found all this, and whose stages ended as those of `last`. */
  toResult(last: ScanResult): ScanResult;
}

/**
 * Collects findings. What overlaps a finding of the same stage and type that is there already is the
 * same finding, seen with more or less of the text around it.
 */
export function createEarlyFindings(): EarlyFindings {
  const places = new Map<string, TextRange[]>();
  const findings: Finding[] = [];
  const failedClosed = new Set<StageName>();
  const isNew = (found: Finding): boolean => {
    const key = `${found.stage} ${found.type} ${found.field} ${found.contextIndex ?? 0}`;
    const held = places.get(key);
    if (held !== undefined) return insertIfFree(held, found);
    places.set(key, [found]);
    return true;
  };
  return {
    add(some) {
      const fresh = some.filter(isNew);
      for (const found of fresh) findings.push(found);
      return fresh;
    },
    endingAfter: (place) =>
      findings.filter(({ field, end }) => field === 'response' && end > place),
    toResult(last) {
      for (const stage of last.failedClosed) failedClosed.add(stage);
      return {
        ...last,
        findings,
        scores: { ...last.scores, ...scoresOf(findings) },
        failedClosed: [...failedClosed],
      };
    },
  };
}

/** Adds a range to others that are in order and free of overlaps, unless it overlaps one of them. */
function insertIfFree(ranges: TextRange[], range: TextRange): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as TextRange).start < range.start) low = middle + 1;
    else high = middle;
  }
  const previous = ranges[low - 1];
  const next = ranges[low];
  if (previous !== undefined && previous.end > range.start) return false;
  if (next !== undefined && next.start < range.end) return false;
  ranges.splice(low, 0, range);
  return true;
}

/** The scores that add up over a stream; the others are those of the last scan. */
function scoresOf(findings: readonly Finding[]): Partial<Scores> {
  const of = (stage: StageName) => findings.filter((found) => found.stage === stage);
  const largest = (stage: StageName) =>
    of(stage).reduce((most, { score }) => Math.max(most, score), 0);
  return {
    pii: combinedPiiRisk(of('pii_scanner')),
    injection: largest('injection_scanner'),
    toxicity: largest('toxicity_scanner'),
  };
}

import { insertIfFree } from '../insert-if-free.ts';
import { combinedRisk } from '../risk.ts';
import { stageFacts } from '../stages.ts';
import type { Finding, ScanResult, Scores, StageName, TextRange } from '../types.ts';

/** The findings that a stream has reported so far. */
export interface EarlyFindings {
  /** Adds findings and returns those that are new. */
  add(findings: readonly Finding[]): Finding[];
  /** Those of the response that reach beyond a place. The place never falls. */
  endingAfter(place: number): readonly Finding[];
  /**
   * The result of a scan that found all this, and whose stages ended as those of `last`, for policies:
   * of findings before the last place passed in, one of each stage, type and score.
   */
  toBrief(last: ScanResult): ScanResult;
  /** The same with every finding. */
  toResult(last: ScanResult): ScanResult;
}

/**
 * Collects findings. What overlaps a finding of the same stage and type that is there already is the
 * same finding, seen with more or less of the text around it.
 */
export function createEarlyFindings(): EarlyFindings {
  const places = new Map<string, TextRange[]>();
  const findings: Finding[] = [];
  const alike = new Map<string, Finding>();
  let open: Finding[] = [];
  const scores = createScores();
  const failedClosed = new Set<StageName>();
  const isNew = (found: Finding): boolean => {
    const key = `${found.stage} ${found.type} ${found.field} ${found.contextIndex ?? 0}`;
    const held = places.get(key);
    if (held !== undefined) return insertIfFree(held, found);
    places.set(key, [found]);
    return true;
  };
  const keep = (found: Finding): void => {
    findings.push(found);
    if (found.field === 'response') open.push(found);
    const key = `${found.stage} ${found.type} ${found.score}`;
    if (!alike.has(key)) scores.add(found);
    alike.set(key, found);
  };
  const resultOf = (last: ScanResult, some: readonly Finding[]): ScanResult => {
    for (const stage of last.failedClosed) failedClosed.add(stage);
    const all = scores.current(last);
    return { ...last, findings: some, scores: all, failedClosed: [...failedClosed] };
  };
  return {
    add(some) {
      const fresh = some.filter(isNew);
      for (const found of fresh) keep(found);
      return fresh;
    },
    endingAfter(place) {
      open = open.filter(({ end }) => end > place);
      return open;
    },
    toBrief: (last) => resultOf(last, [...new Set([...alike.values(), ...open])]),
    toResult: (last) => resultOf(last, findings),
  };
}

/** The scores that add up over a stream; the others are those of the last scan. */
function createScores() {
  const byStage = new Map<StageName, Finding[]>();
  return {
    /** To be called once for each stage, type and score: more of the same change nothing. */
    add(found: Finding): void {
      const held = byStage.get(found.stage);
      if (held === undefined) byStage.set(found.stage, [found]);
      else held.push(found);
    },
    /** The scores of `last` with those of its stages that add up. */
    current({ scores, stages }: ScanResult): Scores {
      const facts = stageFacts(stages);
      const all: Record<string, number | null> = { ...scores };
      for (const { stage } of stages) {
        const { score, scoring, risks } = facts(stage);
        const found = byStage.get(stage) ?? [];
        if (scoring === 'risk') all[score] = combinedRisk(found, risks);
        if (scoring === 'findings') {
          all[score] = found.reduce((most, { score: own }) => Math.max(most, own), 0);
        }
      }
      return all as Scores;
    },
  };
}

import { severityOf } from './risk.ts';
import type { FindingGroup, StageFinding, StageName } from './types.ts';

/** A finding on its way into the result. */
interface Entry<T> {
  readonly finding: T;
  readonly severity: number;
  readonly order: number;
}

/** What a list kept, in the order of arrival, and what it left out, grouped. */
export interface FindingListResult<T> {
  readonly findings: T[];
  readonly omitted: FindingGroup[];
}

/** Collects findings and keeps the most severe ones. */
export interface FindingList<T> {
  add(finding: T): void;
  /** Takes over what another list left out. */
  omit(group: FindingGroup): void;
  finish(): FindingListResult<T>;
}

/**
 * A list that holds at most `max` findings in the end and twice as many while it is filled: it is
 * cut back to the most severe half whenever it is full, and what is no more severe than the mildest
 * one kept is then merely counted. Of equally severe findings the earlier ones stay.
 *
 * @param stageOf the stage of a finding, which decides how severe it is
 */
export function createFindingList<T extends StageFinding>(
  max: number,
  stageOf: (finding: T) => StageName,
): FindingList<T> {
  const groups = new Map<string, FindingGroup>();
  let entries: Entry<T>[] = [];
  let floor = -1;
  let order = 0;

  function omit({ stage, type, score, count }: FindingGroup): void {
    const key = `${stage} ${type} ${score}`;
    const before = groups.get(key)?.count ?? 0;
    groups.set(key, { stage, type, score, count: before + count });
  }

  function leaveOut(finding: T): void {
    omit({ stage: stageOf(finding), type: finding.type, score: finding.score, count: 1 });
  }

  function prune(): void {
    entries.sort((a, b) => b.severity - a.severity || a.order - b.order);
    for (const { finding } of entries.slice(max)) leaveOut(finding);
    entries = entries.slice(0, max);
    floor = entries.at(-1)?.severity ?? Number.POSITIVE_INFINITY;
  }

  return {
    add(finding) {
      const severity = severityOf(stageOf(finding), finding);
      if (severity <= floor) return leaveOut(finding);
      entries.push({ finding, severity, order: order++ });
      if (entries.length >= 2 * max + 1) prune();
    },
    omit,
    finish() {
      if (entries.length > max) prune();
      entries.sort((a, b) => a.order - b.order);
      return { findings: entries.map(({ finding }) => finding), omitted: [...groups.values()] };
    },
  };
}

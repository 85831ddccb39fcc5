import type { Finding, FindingGroup, StageFinding, StageName } from './types.ts';

/** A finding on its way into the result. */
interface Entry {
  readonly stage: StageName;
  readonly finding: StageFinding;
  readonly severity: number;
  readonly order: number;
}

/** What a list kept, in the order of arrival, and what it left out, grouped. */
interface FindingListResult {
  readonly findings: Finding[];
  readonly omitted: FindingGroup[];
}

/** Collects the findings of a scan and keeps the most severe ones. */
export interface FindingList {
  add(stage: StageName, finding: StageFinding): void;
  finish(): FindingListResult;
}

/**
 * A list that holds at most `max` findings in the end and twice as many while it is filled: it is
 * cut back to the most severe half whenever it is full, and what is no more severe than the mildest
 * one kept is then merely counted. Of equally severe findings the earlier ones stay.
 *
 * @param severityOf 0 to 1; default the score
 */
export function createFindingList(
  max: number,
  severityOf: (stage: StageName, finding: StageFinding) => number = (_, { score }) => score,
): FindingList {
  const omitted = createTally();
  let entries: Entry[] = [];
  let floor = -1;
  let order = 0;

  function prune(): void {
    entries.sort((a, b) => b.severity - a.severity || a.order - b.order);
    for (const { stage, finding } of entries.slice(max)) omitted.count(stage, finding);
    entries = entries.slice(0, max);
    floor = entries.at(-1)?.severity ?? Number.POSITIVE_INFINITY;
  }

  return {
    add(stage, finding) {
      const severity = severityOf(stage, finding);
      if (severity <= floor) return omitted.count(stage, finding);
      entries.push({ stage, finding, severity, order: order++ });
      if (entries.length >= 2 * max + 1) prune();
    },
    finish() {
      if (entries.length > max) prune();
      entries.sort((a, b) => a.order - b.order);
      const findings = entries.map(({ stage, finding }) => ({ ...finding, stage }));
      return { findings, omitted: omitted.groups() };
    },
  };
}

/** Counts by stage, type and score; nested maps, since a text may have a million findings. */
function createTally() {
  const counts = new Map<StageName, Map<string, Map<number, number>>>();
  return {
    count(stage: StageName, { type, score }: StageFinding): void {
      const scores = nested(nested(counts, stage), type);
      scores.set(score, (scores.get(score) ?? 0) + 1);
    },
    groups: (): FindingGroup[] =>
      [...counts].flatMap(([stage, types]) =>
        [...types].flatMap(([type, scores]) =>
          [...scores].map(([score, count]) => ({ stage, type, score, count })),
        ),
      ),
  };
}

function nested<Key, InnerKey, Value>(
  outer: Map<Key, Map<InnerKey, Value>>,
  key: Key,
): Map<InnerKey, Value> {
  let inner = outer.get(key);
  if (inner === undefined) {
    inner = new Map();
    outer.set(key, inner);
  }
  return inner;
}

import type { StanceFacts } from '../obligations/stance.ts';
import { adverseAmong, stanceFactsOf } from '../obligations/stance.ts';
import type { Evidence, EvidenceGroup } from './types.ts';

/** Records that are counted together. */
export interface CountedRecords {
  readonly aiSystemId: string | null;
  readonly obligationIds: readonly string[];
  readonly facts: StanceFacts;
  readonly count: number;
  /** The sequence of the newest. */
  readonly newest: number;
}

/** Sums up records by AI system, obligations and stances. */
export function toGroups(counted: Iterable<CountedRecords>): EvidenceGroup[] {
  const groups = new Map<string, EvidenceGroup>();
  for (const { aiSystemId, obligationIds, facts, count, newest } of counted) {
    const adverseIds = [...adverseAmong(facts, obligationIds)];
    const key = JSON.stringify([aiSystemId, obligationIds, adverseIds]);
    const sum = groups.get(key) ?? { aiSystemId, obligationIds, adverseIds, count: 0, newest: 0 };
    groups.set(key, {
      ...sum,
      count: sum.count + count,
      newest: Math.max(sum.newest, newest),
    });
  }
  return [...groups.values()];
}

/** A record by itself. */
export function countedAlone(record: Evidence): CountedRecords {
  const { aiSystemId, obligationIds, sequence } = record;
  return { aiSystemId, obligationIds, facts: stanceFactsOf(record), count: 1, newest: sequence };
}

import type { EvidenceReads } from '../records/storage.ts';
import type { Evidence, EvidenceGroup } from '../records/types.ts';

/** The records that support an obligation. */
export interface Support {
  readonly count: number;
  /** The sequence of the newest. */
  readonly newest: number;
}

/** The support of each obligation that has some, by its id. */
export function supportOf(groups: readonly EvidenceGroup[]): Map<string, Support> {
  const support = new Map<string, Support>();
  for (const { obligationIds, count, newest } of groups) {
    for (const id of obligationIds) {
      const sum = support.get(id) ?? { count: 0, newest: 0 };
      support.set(id, { count: sum.count + count, newest: Math.max(sum.newest, newest) });
    }
  }
  return support;
}

/** The records that are the newest of these supports, by sequence. Many obligations have the same one. */
export async function readNewest(
  reads: Pick<EvidenceReads, 'findEvidenceAt'>,
  organizationId: string,
  supports: Iterable<Support>,
): Promise<Map<number, Evidence>> {
  const sequences = new Set([...supports].map(({ newest }) => newest));
  const records = await reads.findEvidenceAt(organizationId, [...sequences]);
  return new Map(records.map((record) => [record.sequence, record]));
}

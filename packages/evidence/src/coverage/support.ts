import type { EvidenceReads } from '../records/storage.ts';
import type { Evidence, EvidenceGroup } from '../records/types.ts';

/** The records about an obligation. */
export interface Support {
  /** Records that support it. */
  readonly supporting: number;
  /** Records of failures, which speak against it. */
  readonly adverse: number;
  /** The sequence of the newest. */
  readonly newest: number;
}

const NONE: Support = { supporting: 0, adverse: 0, newest: 0 };

/** The records about each obligation that has some, by its id. */
export function supportOf(groups: readonly EvidenceGroup[]): Map<string, Support> {
  const support = new Map<string, Support>();
  for (const { obligationIds, adverseIds, count, newest } of groups) {
    const adverse = new Set(adverseIds);
    for (const id of obligationIds) {
      const sum = support.get(id) ?? NONE;
      support.set(id, {
        supporting: sum.supporting + (adverse.has(id) ? 0 : count),
        adverse: sum.adverse + (adverse.has(id) ? count : 0),
        newest: Math.max(sum.newest, newest),
      });
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

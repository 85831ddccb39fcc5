import type { SqlDialect } from '@probity/core/sql';
import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { CountedRecords } from '../groups.ts';
import type { LinkSets } from '../link-sets.ts';
import type { EvidenceTables } from '../tables.ts';
import { UNREADABLE_SET } from '../tables.ts';
import type { Places } from '../windows.ts';

/** The records of a window by AI system, set of obligations and the metadata that decides on their stance. */
export interface GroupRow {
  readonly ai_system_id: string | null;
  readonly link_set: string;
  readonly finding: string | null;
  /** JSON array. */
  readonly categories: string | null;
  readonly count: unknown;
  readonly newest: unknown;
}

/** Metadata that is not JSON was tampered with: verification reports it, and it has no finding here. */
const METADATA = {
  sqlite: {
    finding: sql<string | null>`case when json_valid(metadata)
      then json_extract(metadata, '$.findingType') end`,
    categories: sql<string | null>`case when json_valid(metadata)
      then json_extract(metadata, '$.findingCategories') end`,
  },
  postgres: {
    finding: sql<string | null>`substring(metadata from '"findingType":"([a-z_]*)"')`,
    categories: sql<string | null>`substring(metadata from '"findingCategories":(\\[[^]]*\\])')`,
  },
} as const;

/** Counts the records of a window. */
export function groupRows<Tables extends EvidenceTables>(
  records: SelectQueryBuilder<Tables, 'probity_evidence_records', object>,
  dialect: SqlDialect,
  { from, to }: Places,
): Promise<GroupRow[]> {
  const { finding, categories } = METADATA[dialect];
  // Only columns of records are read, whatever other tables the query knows.
  const own = records as unknown as SelectQueryBuilder<
    EvidenceTables,
    'probity_evidence_records',
    object
  >;
  return own
    .select(['ai_system_id', 'link_set', finding.as('finding'), categories.as('categories')])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('sequence').as('newest')])
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .groupBy(['ai_system_id', 'link_set', 'finding', 'categories'])
    .execute();
}

/** The counted records of a row. */
export function toCounted(row: GroupRow, sets: LinkSets): CountedRecords {
  return {
    aiSystemId: row.ai_system_id,
    obligationIds: sets.get(row.link_set) ?? UNREADABLE_SET,
    facts: { isFailure: row.finding !== null, categories: textsIn(row.categories) },
    count: Number(row.count),
    newest: Number(row.newest),
  };
}

function textsIn(json: string | null): string[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

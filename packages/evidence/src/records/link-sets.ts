import type { SqlSession } from '@probity/core/sql';
import type { EvidenceTables } from './tables.ts';
import { obligationsIn } from './tables.ts';

/** The sets of obligations that records of an organization have, by id. */
export type LinkSets = ReadonlyMap<string, readonly string[]>;

/** Reads the organization's sets of obligations; there are as many as combinations of signals. */
export async function readLinkSets(session: SqlSession, organizationId: string): Promise<LinkSets> {
  const rows = await session
    .kysely<EvidenceTables>()
    .selectFrom('probity_evidence_link_sets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map((row) => [row.id, obligationsIn(row)]));
}

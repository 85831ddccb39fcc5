import type { SqlSession } from '@probity/core/sql';
import { prepareSql, sealedColumn, toDateOrNull } from '@probity/core/sql';
import { sql } from 'kysely';
import type { LinkSets } from '../records/link-sets.ts';
import { readLinkSets } from '../records/link-sets.ts';
import type { EvidenceRow } from '../records/tables.ts';
import { toEvidence, UNREADABLE_SET } from '../records/tables.ts';
import type { ChainReads, ChainWrites, StoredNode } from './storage.ts';
import type { ChainTables, NodeRow } from './tables.ts';
import { toHead, toNode } from './tables.ts';

/** A record's row beside its node; null in all columns where it is not stored. */
type JoinedRecord = {
  [Column in keyof EvidenceRow as `r_${Column}`]: EvidenceRow[Column] | null;
};

interface ChainRow extends NodeRow, JoinedRecord {
  a_sequence: number | null;
  a_amends: string | null;
  a_links_hash: string | null;
  t_id: string | null;
  t_amendment: number | null;
}

const RECORD_COLUMNS = [
  'id',
  'organization_id',
  'sequence',
  'evidence_type',
  'source',
  'title',
  'content',
  'metadata',
  'ai_system_id',
  'labels',
  'link_set',
  'occurred_at',
  'created_at',
  'salt',
  'amendment',
] as const satisfies ReadonlyArray<keyof EvidenceRow>;

interface ChainPart {
  organizationId: string;
  sequence: number;
  limit: number;
}

// One statement, so that a node and its record are of one moment.
const selectChain = prepareSql<ChainPart, ChainRow>((value) => {
  const record = RECORD_COLUMNS.map((column) => sql.raw(`r.${column} as r_${column}`));
  return sql<ChainRow>`
    select n.*, ${sql.join(record)}, a.sequence as a_sequence, a.amends as a_amends,
      a.links_hash as a_links_hash, t.id as t_id, t.amendment as t_amendment
    from probity_evidence_nodes n
    left join probity_evidence_records r on r.id = n.id and n.amends is null
    left join probity_evidence_nodes a
      on a.organization_id = n.organization_id and a.sequence = r.amendment
    left join probity_evidence_records t on t.id = n.amends
    where n.organization_id = ${value('organizationId')} and n.sequence > ${value('sequence')}
    order by n.sequence limit ${value('limit')}`;
});

/** Reads chains on a SQL session. */
export function createChainReads(session: SqlSession): ChainReads {
  const db = () => session.kysely<ChainTables>();
  return {
    async findEvidenceHead(organizationId) {
      const row = await db()
        .selectFrom('probity_evidence_heads')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toHead(row) : null;
    },
    async readEvidenceChain(organizationId, sequence, limit) {
      const rows = await selectChain(session, { organizationId, sequence, limit });
      if (rows.length === 0) return [];
      // Sets are never changed: those read now are those of the rows.
      const sets = await readLinkSets(session, organizationId);
      return rows.map((row) => toStoredNode(row, sets));
    },
    async listEvidenceChains(after, limit) {
      const rows = await sql<{ id: string; oldest: number | null }>`
        select h.organization_id as id, (
          select r.created_at from probity_evidence_records r
          where r.organization_id = h.organization_id order by r.sequence limit 1
        ) as oldest
        from probity_evidence_heads h
        where h.organization_id > ${after} order by h.organization_id limit ${limit}`.execute(db());
      return rows.rows.map(({ id, oldest }) => ({
        ...{ organizationId: id, oldestAt: toDateOrNull(oldest) },
      }));
    },
    listSealedEvidenceHeads: sealedEnds(session).list,
  };
}

/** Writes chains on a SQL session. */
export function createChainWrites(session: SqlSession): ChainWrites {
  return { replaceSealedEvidenceHead: sealedEnds(session).replace };
}

function sealedEnds(session: SqlSession) {
  return sealedColumn(session, 'probity_evidence_heads', 'sealed_end', 'organization_id');
}

function toStoredNode(row: ChainRow, sets: LinkSets): StoredNode {
  const node = toNode(row);
  const isAmended = row.a_sequence !== null;
  return {
    ...node,
    record: row.r_id === null ? null : toRecord(row, sets),
    amendment: isAmended ? { amends: row.a_amends, linksHash: row.a_links_hash ?? '' } : null,
    amended: row.t_id === null ? null : { amendment: row.t_amendment },
  };
}

function toRecord(row: ChainRow, sets: LinkSets) {
  const columns = RECORD_COLUMNS.map((column) => [column, row[`r_${column}`]]);
  const record = Object.fromEntries(columns) as unknown as EvidenceRow;
  return toEvidence(record, {
    hash: row.hash,
    idempotencyKey: row.idempotency_key ?? '',
    obligationIds: sets.get(record.link_set) ?? UNREADABLE_SET,
  });
}

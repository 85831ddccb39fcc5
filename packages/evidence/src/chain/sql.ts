import type { SqlSession } from '@probity/core/sql';
import { prepareSql, sealedColumn, toDate, toDateOrNull } from '@probity/core/sql';
import { sql } from 'kysely';
import type { LinkSets } from '../records/link-sets.ts';
import { readLinkSets } from '../records/link-sets.ts';
import type { EvidenceRow } from '../records/tables.ts';
import { toEvidence, UNREADABLE_SET } from '../records/tables.ts';
import type { ChainReads, ChainWrites, PlaceRange, RecordIndex, StoredNode } from './storage.ts';
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
  e_provider: string | null;
  e_provider_label: string;
  e_evaluated_at: number;
  e_successes: number;
  e_failures: number;
  e_errors: number;
  /** Names and values, each after its number of characters and a colon. */
  i_labels: string | null;
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
      a.links_hash as a_links_hash, t.id as t_id, t.amendment as t_amendment,
      e.provider as e_provider, e.provider_label as e_provider_label,
      e.evaluated_at as e_evaluated_at, e.successes as e_successes,
      e.failures as e_failures, e.errors as e_errors, (
        select string_agg(
          length(l.name) || ':' || l.name || length(l.value) || ':' || l.value, ''
        ) from probity_evidence_labels l
        where l.organization_id = n.organization_id and l.sequence = n.sequence
      ) as i_labels
    from probity_evidence_nodes n
    left join probity_evidence_records r on r.id = n.id and n.amends is null
    left join probity_evidence_nodes a
      on a.organization_id = n.organization_id and a.sequence = r.amendment
    left join probity_evidence_records t on t.id = n.amends
    left join probity_evidence_runs e
      on e.organization_id = n.organization_id and e.sequence = n.sequence
    where n.organization_id = ${value('organizationId')} and n.sequence > ${value('sequence')}
    order by n.sequence limit ${value('limit')}`;
});

interface StrayPlaces {
  organizationId: string;
  after: number;
  through: number;
}

/** No place is before or behind these. */
const [FIRST, LAST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

// Nothing is found in nearly all ranges, so that the order costs nothing.
const selectStray = prepareSql<StrayPlaces, { sequence: number }>((value) => {
  const within = sql`s.organization_id = ${value('organizationId')}
    and s.sequence > ${value('after')} and s.sequence <= ${value('through')}`;
  const withoutRecord = sql`${within} and not exists (
    select 1 from probity_evidence_records r
    where r.organization_id = s.organization_id and r.sequence = s.sequence
  )`;
  return sql<{ sequence: number }>`
    select s.sequence from probity_evidence_records s where ${within} and not exists (
      select 1 from probity_evidence_nodes n where n.organization_id = s.organization_id
        and n.sequence = s.sequence and n.id = s.id and n.amends is null
    )
    union all select s.sequence from probity_evidence_labels s where ${withoutRecord}
    union all select s.sequence from probity_evidence_runs s where ${withoutRecord}
    order by 1 limit 1`;
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
    async findStrayEvidence(organizationId, { after, through }: PlaceRange) {
      const places = { after: after ?? FIRST, through: through ?? LAST };
      const [row] = await selectStray(session, { organizationId, ...places });
      return row ? row.sequence : null;
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
    index: row.r_id === null ? null : toIndex(row),
    amended: row.t_id === null ? null : { amendment: row.t_amendment },
  };
}

function toIndex(row: ChainRow): RecordIndex {
  const { e_provider: provider, sequence } = row;
  const run =
    provider === null
      ? null
      : {
          ...{ sequence, provider, providerLabel: row.e_provider_label || null },
          ...{ evaluatedAt: toDate(row.e_evaluated_at) },
          ...{ successes: row.e_successes, failures: row.e_failures, errors: row.e_errors },
        };
  return { labels: toPairs(row.i_labels ?? ''), run };
}

/** The pairs of a text such as `4:team1:a`; null when it is none. */
function toPairs(text: string): Array<readonly [string, string]> | null {
  const parts: string[] = [];
  // The databases count characters, not units.
  let rest = [...text];
  while (rest.length > 0) {
    const colon = rest.indexOf(':');
    const length = Number(rest.slice(0, colon).join(''));
    if (colon < 1 || !Number.isSafeInteger(length)) return null;
    parts.push(rest.slice(colon + 1, colon + 1 + length).join(''));
    rest = rest.slice(colon + 1 + length);
  }
  return parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? ''] as const] : []));
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

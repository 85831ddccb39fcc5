import type { Page } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { countRows, insertMany, prepareUpsert, requireSealingKey } from '@probity/core/sql';
import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ChainTables, HeadRow } from '../chain/tables.ts';
import { toHeadRow, toNodeRow } from '../chain/tables.ts';
import type { RunRow } from '../trend/sql.ts';
import { toRunRows } from '../trend/sql.ts';
import { toGroups } from './groups.ts';
import type { LinkSets } from './link-sets.ts';
import { readLinkSets } from './link-sets.ts';
import type { GroupRow } from './sql/group-rows.ts';
import { groupRows, toCounted } from './sql/group-rows.ts';
import type { EvidenceReads, EvidenceWrites } from './storage.ts';
import type { EvidenceRow, EvidenceTables, LinkSetRow } from './tables.ts';
import { linkSetOf, toEvidence, toEvidenceRow, toLabelRows, UNREADABLE_SET } from './tables.ts';
import type { Evidence, EvidenceFilter } from './types.ts';
import type { Places } from './windows.ts';
import { firstOfWindows, pageOfWindows, windowsOf } from './windows.ts';

type Tables = EvidenceTables & ChainTables & { probity_evidence_runs: RunRow };
type RecordQuery = SelectQueryBuilder<Tables, 'probity_evidence_records', object>;

/** A record's row with what its node has. */
type FoundRow = EvidenceRow & { readonly hash: string; readonly idempotency_key: string | null };

/** Reads records on a SQL session. */
export function createEvidenceReads(session: SqlSession): EvidenceReads {
  const db = () => session.kysely<Tables>();
  const recordsOf = (organizationId: string): RecordQuery =>
    db()
      .selectFrom('probity_evidence_records')
      .where('probity_evidence_records.organization_id', '=', organizationId);

  /** The records of rows; `sets` are read where they are not given. */
  async function toRecords(
    organizationId: string,
    rows: readonly FoundRow[],
    sets?: LinkSets,
  ): Promise<Evidence[]> {
    if (rows.length === 0) return [];
    const known = sets ?? (await readLinkSets(session, organizationId));
    return rows.map((row) =>
      toEvidence(row, {
        hash: row.hash,
        idempotencyKey: row.idempotency_key ?? '',
        obligationIds: known.get(row.link_set) ?? UNREADABLE_SET,
      }),
    );
  }

  async function lastSequence(organizationId: string): Promise<number> {
    const row = await db()
      .selectFrom('probity_evidence_heads')
      .select('sequence')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row?.sequence ?? 0;
  }

  /** The first place of a record that is kept; 1 when none is. */
  async function firstSequence(records: RecordQuery): Promise<number> {
    const row = await records.select('sequence').orderBy('sequence').limit(1).executeTakeFirst();
    return row?.sequence ?? 1;
  }

  /** Where records that match `filter` are, and the query on a window of it; null when none can match. */
  async function search(organizationId: string, filter: EvidenceFilter) {
    const records = recordsOf(organizationId);
    const { since, until, obligationIds } = filter;
    const places = {
      from: since ? await placeFrom(records, since) : await firstSequence(records),
      to: until ? await placeBefore(records, until) : await lastSequence(organizationId),
    };
    const sets = await readLinkSets(session, organizationId);
    const linkSets = obligationIds && setsWith(sets, obligationIds);
    if (linkSets?.length === 0) return null;
    const matching = (window: Places) =>
      narrow(records, organizationId, { ...filter, linkSets }, window);
    return { places, sets, matching };
  }

  return {
    async listEvidence(organizationId, filter, page) {
      const found = await search(organizationId, filter);
      if (!found) return { items: [], total: 0 };
      const { rows, total } = await pageOfWindows(found.places, page, {
        count: (window) => countRows(found.matching(window)),
        read: (window, part) => readPage(found.matching(window), part),
      });
      return { items: await toRecords(organizationId, rows, found.sets), total };
    },
    async findEvidence(organizationId, id) {
      const found = recordsOf(organizationId).where('probity_evidence_records.id', '=', id);
      const [record] = await toRecords(organizationId, await withNodes(found).execute());
      return record ?? null;
    },
    async findEvidenceAt(organizationId, sequences) {
      if (sequences.length === 0) return [];
      const found = recordsOf(organizationId).where(
        'probity_evidence_records.sequence',
        'in',
        sequences,
      );
      return toRecords(organizationId, await withNodes(found).execute());
    },
    async readEvidence(organizationId, filter, sequence, limit) {
      const found = await search(organizationId, filter);
      if (!found) return [];
      const { from, to } = found.places;
      const places = { from: Math.max(from, sequence + 1), to };
      const rows = await firstOfWindows(places, limit, (window, most) =>
        withNodes(found.matching(window))
          .orderBy('probity_evidence_records.sequence')
          .limit(most)
          .execute(),
      );
      return toRecords(organizationId, rows, found.sets);
    },
    async groupEvidence(organizationId, aiSystemId) {
      const all = recordsOf(organizationId);
      const records = aiSystemId ? all.where('ai_system_id', '=', aiSystemId) : all;
      const places = {
        from: await firstSequence(records),
        to: await lastSequence(organizationId),
      };
      const rows: GroupRow[] = [];
      for await (const window of windowsOf(places)) {
        rows.push(...(await groupRows(records, session.dialect, window)));
      }
      const sets = await readLinkSets(session, organizationId);
      return toGroups(rows.map((row) => toCounted(row, sets)));
    },
    async findEvidenceKeys(organizationId, keys) {
      if (keys.length === 0) return [];
      const rows = await db()
        .selectFrom('probity_evidence_nodes')
        .select('idempotency_key')
        .where('organization_id', '=', organizationId)
        .where('idempotency_key', 'in', keys)
        .execute();
      return rows.map(({ idempotency_key: key }) => key ?? '');
    },
    async findEvidenceByKeys(organizationId, keys) {
      if (keys.length === 0) return [];
      const found = withNodes(recordsOf(organizationId))
        .where('probity_evidence_nodes.organization_id', '=', organizationId)
        .where('probity_evidence_nodes.idempotency_key', 'in', keys);
      return toRecords(organizationId, await found.execute());
    },
    async hasEvidenceOf(organizationId, aiSystemId) {
      const row = await recordsOf(organizationId)
        .select('id')
        .where('ai_system_id', '=', aiSystemId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function withNodes(query: RecordQuery) {
  return query
    .innerJoin('probity_evidence_nodes', (join) =>
      join
        .onRef(
          'probity_evidence_nodes.organization_id',
          '=',
          'probity_evidence_records.organization_id',
        )
        .onRef('probity_evidence_nodes.sequence', '=', 'probity_evidence_records.sequence'),
    )
    .selectAll('probity_evidence_records')
    .select(['probity_evidence_nodes.hash', 'probity_evidence_nodes.idempotency_key']);
}

function readPage(query: RecordQuery, { limit, offset }: Page): Promise<FoundRow[]> {
  return withNodes(query)
    .orderBy('probity_evidence_records.sequence', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The first place of a record made at `time` or later. The times of a chain are in its order. */
async function placeFrom(records: RecordQuery, time: Date): Promise<number> {
  const row = await records
    .select('sequence')
    .where('created_at', '>=', time.getTime())
    .orderBy('created_at')
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
  return row?.sequence ?? Number.MAX_SAFE_INTEGER;
}

/** The last place of a record made before `time`; 0 when there is none. */
async function placeBefore(records: RecordQuery, time: Date): Promise<number> {
  const row = await records
    .select('sequence')
    .where('created_at', '<', time.getTime())
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sequence ?? 0;
}

/** The ids of the sets that have one of the obligations. */
function setsWith(sets: LinkSets, obligationIds: readonly string[]): string[] {
  const wanted = new Set(obligationIds);
  return [...sets].filter(([, ids]) => ids.some((id) => wanted.has(id))).map(([id]) => id);
}

/** A filter whose obligations are the sets that have one of them. */
type SetFilter = EvidenceFilter & { readonly linkSets: readonly string[] | undefined };

function narrow(
  query: RecordQuery,
  organizationId: string,
  { aiSystemId, evidenceType, linkSets, labels = [], q }: SetFilter,
  { from, to }: Places,
): RecordQuery {
  let narrowed = query
    .where('probity_evidence_records.sequence', '>=', from)
    .where('probity_evidence_records.sequence', '<=', to);
  if (aiSystemId !== undefined) narrowed = narrowed.where('ai_system_id', '=', aiSystemId);
  if (evidenceType !== undefined) narrowed = narrowed.where('evidence_type', '=', evidenceType);
  if (linkSets) narrowed = narrowed.where('link_set', 'in', linkSets);
  for (const [name, value] of labels) {
    narrowed = narrowed.where('probity_evidence_records.sequence', 'in', (eb) =>
      eb
        .selectFrom('probity_evidence_labels as l')
        .select('l.sequence')
        .where('l.organization_id', '=', organizationId)
        .where('l.name', '=', name)
        .where('l.value', '=', value)
        .where('l.sequence', '>=', from)
        .where('l.sequence', '<=', to),
    );
  }
  if (q !== undefined) {
    const pattern = `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    narrowed = narrowed.where(
      sql<boolean>`(lower(title) like ${pattern} escape '\\' or lower(content) like ${pattern} escape '\\')`,
    );
  }
  return narrowed;
}

const putHead = prepareUpsert<HeadRow>(
  'probity_evidence_heads',
  ['organization_id', 'sequence', 'hash', 'removed_through', 'recorded_at', 'sealed_end'],
  ['organization_id'],
);

/** The tables that have rows of a record, by sequence. */
const TABLES = [
  ...(['probity_evidence_labels', 'probity_evidence_runs', 'probity_evidence_records'] as const),
];

/** Writes records on a SQL session. */
export function createEvidenceWrites(session: SqlSession): EvidenceWrites {
  const db = () => session.kysely<Tables>();
  async function storeHead(head: HeadRow): Promise<void> {
    if (head.sealed_end !== null) await requireSealingKey(session, head.sealed_end);
    await putHead(session, head);
  }

  return {
    async appendEvidence(entries, head) {
      const records = entries.map(({ record }) => record);
      const [{ organizationId }] = records as [Evidence];
      const sets = new Map<string, LinkSetRow>();
      const rows = records.map((record) => {
        const id = linkSetOf(record.obligationIds);
        const obligations = JSON.stringify(record.obligationIds);
        if (!sets.has(id)) sets.set(id, { organization_id: organizationId, id, obligations });
        return toEvidenceRow(record, id);
      });
      await insertMany(session, 'probity_evidence_link_sets', [...sets.values()], {
        onConflictDoNothing: ['organization_id', 'id'],
      });
      const nodes = entries.map(({ node }) => toNodeRow(node));
      await insertMany(session, 'probity_evidence_nodes', nodes);
      await insertMany(session, 'probity_evidence_records', rows);
      await insertMany(session, 'probity_evidence_labels', records.flatMap(toLabelRows));
      await insertMany(session, 'probity_evidence_runs', records.flatMap(toRunRows));
      await storeHead(toHeadRow(head));
    },
    async amendEvidence(node, record, head) {
      const { organizationId, sequence } = record;
      await insertMany(session, 'probity_evidence_nodes', [toNodeRow(node)]);
      await db()
        .updateTable('probity_evidence_records')
        .set({
          ai_system_id: record.aiSystemId,
          labels: JSON.stringify(record.labels),
          amendment: record.amendment,
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', record.id)
        .execute();
      await db()
        .deleteFrom('probity_evidence_labels')
        .where('organization_id', '=', organizationId)
        .where('sequence', '=', sequence)
        .execute();
      await insertMany(session, 'probity_evidence_labels', toLabelRows(record));
      await storeHead(toHeadRow(head));
    },
    async removeEvidence(head) {
      for (const table of TABLES) {
        await db()
          .deleteFrom(table)
          .where('organization_id', '=', head.organizationId)
          .where('sequence', '<=', head.removedThrough)
          .execute();
      }
      await storeHead(toHeadRow(head));
    },
  };
}

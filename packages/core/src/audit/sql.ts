import type { ChainPlace } from '../crypto/hash-chain.ts';
import { toDate } from '../sql/dialect.ts';
import { pageOf } from '../sql/page-of.ts';
import { prepareInsert, prepareUpsert } from '../sql/prepare-insert.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import { chainEntry } from './chain.ts';
import type { AuditReads, AuditWrites } from './storage.ts';
import type { AuditActor, AuditEntry, AuditFields, AuditFilter } from './types.ts';

/** Tables of the audit log. */
interface AuditTables {
  probity_audit_entries: AuditEntryRow;
  probity_audit_heads: AuditHeadRow;
  probity_audit_checkpoints: AuditHeadRow;
}

interface AuditEntryRow {
  id: string;
  organization_id: string;
  sequence: number;
  action: string;
  actor_type: string;
  actor_id: string;
  credential_id: string | null;
  target_type: string;
  target_id: string;
  before: string | null;
  after: string | null;
  address: string | null;
  request_id: string | null;
  previous_hash: string;
  hash: string;
  created_at: number;
}

/** The last entry of a chain, or the last that retention removed. */
interface AuditHeadRow {
  organization_id: string;
  sequence: number;
  hash: string;
}

/** The audit log on a SQL session. */
export function createSqlAudit(session: SqlSession): AuditReads & AuditWrites {
  const db = () => session.kysely<AuditTables>();
  const matching = (organizationId: string, filter: AuditFilter) =>
    narrow(
      db().selectFrom('probity_audit_entries').where('organization_id', '=', organizationId),
      filter,
    );
  return {
    listAuditEntries(organizationId, filter, page) {
      const newest = matching(organizationId, filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('sequence', 'desc');
      return pageOf(newest, page, toEntry);
    },
    async readAuditChain(organizationId, sequence, limit) {
      const rows = await db()
        .selectFrom('probity_audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
    findAuditCheckpoint: (organizationId) =>
      findHead(session, 'probity_audit_checkpoints', organizationId),
    findAuditHead: (organizationId) => findHead(session, 'probity_audit_heads', organizationId),
    async listOldAudits(before, after, limit) {
      const rows = await db()
        .selectFrom('probity_audit_heads as h')
        .leftJoin('probity_audit_checkpoints as c', 'c.organization_id', 'h.organization_id')
        .innerJoin('probity_audit_entries as e', (join) =>
          join
            .onRef('e.organization_id', '=', 'h.organization_id')
            .on((eb) =>
              eb('e.sequence', '=', eb(eb.fn.coalesce('c.sequence', eb.lit(0)), '+', eb.lit(1))),
            ),
        )
        .select('h.organization_id as id')
        .where('e.created_at', '<', before.getTime())
        .where('h.organization_id', '>', after)
        .orderBy('h.organization_id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async trimAudit(organizationId, { sequence, hash }) {
      await db()
        .deleteFrom('probity_audit_entries')
        .where('organization_id', '=', organizationId)
        .where('sequence', '<=', sequence)
        .execute();
      await putCheckpoint(session, { organization_id: organizationId, sequence, hash });
    },
    async recordAudit(entry) {
      const organization = { organizationId: entry.organizationId };
      const [head] = await advanceHead(session, organization);
      const { sequence, hash: previousHash } = head as AuditHeadRow;
      const chained = chainEntry(entry, { sequence, previousHash });
      await insertEntry(session, toRow(chained));
      await setHeadHash(session, { ...organization, hash: chained.hash });
    },
  };
}

/** Allocates the next sequence number of the chain; the row lock excludes other writers. */
const advanceHead = prepareQuery<AuditTables, { organizationId: string }, AuditHeadRow>(
  (db, value) =>
    db
      .insertInto('probity_audit_heads')
      .values({ organization_id: value('organizationId'), sequence: 1, hash: '' })
      .onConflict((conflict) =>
        conflict
          .column('organization_id')
          .doUpdateSet((eb) => ({ sequence: eb('probity_audit_heads.sequence', '+', 1) })),
      )
      .returningAll(),
);

const setHeadHash = prepareQuery<AuditTables, { organizationId: string; hash: string }, object>(
  (db, value) =>
    db
      .updateTable('probity_audit_heads')
      .set({ hash: value('hash') })
      .where('organization_id', '=', value('organizationId')),
);

const putCheckpoint = prepareUpsert<AuditHeadRow>(
  'probity_audit_checkpoints',
  ['organization_id', 'sequence', 'hash'],
  ['organization_id'],
);

const insertEntry = prepareInsert<AuditEntryRow>('probity_audit_entries', [
  'id',
  'organization_id',
  'sequence',
  'action',
  'actor_type',
  'actor_id',
  'credential_id',
  'target_type',
  'target_id',
  'before',
  'after',
  'address',
  'request_id',
  'previous_hash',
  'hash',
  'created_at',
]);

async function findHead(
  session: SqlSession,
  table: 'probity_audit_heads' | 'probity_audit_checkpoints',
  organizationId: string,
): Promise<ChainPlace | null> {
  const row = await session
    .kysely<AuditTables>()
    .selectFrom(table)
    .select(['sequence', 'hash'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ?? null;
}

interface Narrowable<Query> {
  where(column: 'actor_id' | 'action', operator: '=', value: string): Query;
  where(column: 'created_at', operator: '>=' | '<', value: number): Query;
}

function narrow<Query extends Narrowable<Query>>(query: Query, filter: AuditFilter): Query {
  let narrowed = query;
  if (filter.actor !== undefined) narrowed = narrowed.where('actor_id', '=', filter.actor);
  if (filter.action !== undefined) narrowed = narrowed.where('action', '=', filter.action);
  if (filter.since) narrowed = narrowed.where('created_at', '>=', filter.since.getTime());
  if (filter.until) narrowed = narrowed.where('created_at', '<', filter.until.getTime());
  return narrowed;
}

function toRow(entry: AuditEntry): AuditEntryRow {
  return {
    id: entry.id,
    organization_id: entry.organizationId,
    sequence: entry.sequence,
    action: entry.action,
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    credential_id: entry.actor.credentialId,
    target_type: entry.target.type,
    target_id: entry.target.id,
    before: entry.before && JSON.stringify(entry.before),
    after: entry.after && JSON.stringify(entry.after),
    address: entry.address,
    request_id: entry.requestId,
    previous_hash: entry.previousHash,
    hash: entry.hash,
    created_at: entry.createdAt.getTime(),
  };
}

function toEntry(row: AuditEntryRow): AuditEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    sequence: row.sequence,
    action: row.action,
    actor: {
      type: row.actor_type as AuditActor['type'],
      id: row.actor_id,
      credentialId: row.credential_id,
    },
    target: { type: row.target_type, id: row.target_id },
    before: toFields(row.before),
    after: toFields(row.after),
    address: row.address,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
    createdAt: toDate(row.created_at),
  };
}

function toFields(json: string | null): AuditFields | null {
  return json === null ? null : (JSON.parse(json) as AuditFields);
}

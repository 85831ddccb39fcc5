import type { EventRecord } from '../events.ts';
import type { JobSignal } from '../job-signal.ts';
import { outboxJobOf } from '../outbox.ts';
import type { EventReads, KernelWrites } from '../storage.ts';
import { createSqlAudit } from './audit.ts';
import { jsonMember, toDate } from './dialect.ts';
import { createSqlIdempotency } from './idempotency.ts';
import { createJobReads, createJobWrites } from './jobs.ts';
import { prepareQuery } from './prepared-query.ts';
import type { SqlSession } from './session.ts';
import type { EventRow, KernelTables, PlatformTables } from './tables.ts';

/** Outbox, events and jobs on a SQL session. */
export function createSqlKernel(session: SqlSession, signal: JobSignal): KernelWrites {
  const jobWrites = createJobWrites(session, signal);
  return {
    session,
    outbox: {
      async append(event) {
        await insertEvent(session, toRow(event));
        await jobWrites.enqueueJobs([outboxJobOf(event)]);
      },
    },
    ...createJobReads(session),
    ...jobWrites,
    ...createEventReads(session),
    deleteEvents: (before, limit) => deleteEvents(session, before, limit),
    ...createSqlAudit(session),
    ...createSqlIdempotency(session),
  };
}

const insertEvent = prepareQuery<KernelTables, EventRow, object>((db, value) =>
  db.insertInto('events').values({
    id: value('id'),
    organization_id: value('organization_id'),
    type: value('type'),
    data: value('data'),
    request_id: value('request_id'),
    created_at: value('created_at'),
  }),
);

const selectEvent = prepareQuery<KernelTables, { id: string }, EventRow>((db, value) =>
  db.selectFrom('events').selectAll().where('id', '=', value('id')),
);

// FOR UPDATE would keep others from inserting rows that refer to the organization, such as audit
// entries, whose chain this transaction may be waiting for: a deadlock.
const lockOrganization = prepareQuery<PlatformTables, { id: string }, { id: string }>((db, value) =>
  db.selectFrom('organizations').select('id').where('id', '=', value('id')).forNoKeyUpdate(),
);

const findOrganization = prepareQuery<PlatformTables, { id: string }, { id: string }>((db, value) =>
  db.selectFrom('organizations').select('id').where('id', '=', value('id')),
);

/** Implements `Database.lockOrganization`: SQLite's writer is alone already. */
export async function lockOrganizationRow(session: SqlSession, id: string): Promise<boolean> {
  const query = session.dialect === 'postgres' ? lockOrganization : findOrganization;
  return (await query(session, { id })).length > 0;
}

function createEventReads(session: SqlSession): EventReads {
  return {
    async findEvent(id) {
      const [row] = await selectEvent(session, { id });
      return row ? toEvent(row) : null;
    },
  };
}

async function deleteEvents(session: SqlSession, before: Date, limit: number): Promise<number> {
  const db = session.kysely<KernelTables>();
  const eventId = jsonMember(session.dialect, 'payload', 'eventId');
  const needed = db.selectFrom('jobs').select(eventId.as('id')).where(eventId, 'is not', null);
  const old = db
    .selectFrom('events')
    .select('id')
    .where('created_at', '<', before.getTime())
    .where('id', 'not in', needed)
    .orderBy('created_at')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('id', 'in', old)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function toRow(event: EventRecord): EventRow {
  return {
    id: event.id,
    organization_id: event.organizationId,
    type: event.type,
    data: JSON.stringify(event.data),
    request_id: event.requestId,
    created_at: event.createdAt.getTime(),
  };
}

function toEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as EventRecord['type'],
    data: JSON.parse(row.data) as EventRecord['data'],
    requestId: row.request_id,
    createdAt: toDate(row.created_at),
  };
}

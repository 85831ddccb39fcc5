import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import { ProbityError } from '../errors.ts';
import type { JobSignal } from '../jobs/signal.ts';
import { enqueueJobs } from '../jobs/sql/jobs.ts';
import { JOB_TABLES, queuesIn } from '../jobs/sql/tables.ts';
import { countChanges, deleteBatch } from '../sql/count-changes.ts';
import { toDate } from '../sql/dialect.ts';
import { insertMany } from '../sql/insert-many.ts';
import { isAmong } from '../sql/is-among.ts';
import { listPath, pageOfPaths } from '../sql/list-paths.ts';
import { prepareInsert, prepareUpsert } from '../sql/prepare-insert.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import type { EventRecord } from './events.ts';
import { outboxJobOf, subscriberOfQueue } from './outbox.ts';
import type {
  EventPlace,
  EventRange,
  EventReads,
  EventWrites,
  ListedEvent,
  OldEvent,
  Outbox,
} from './storage.ts';

interface EventTables {
  probity_events: EventRow;
  probity_jobs: JobFacts;
  probity_failed_jobs: JobFacts;
  probity_event_subscribers: SubscriberRow;
  probity_tenants: { id: string; removed_at: number | null };
}

interface JobFacts {
  id: string;
  queue: string;
  event_id: string | null;
}

interface SubscriberRow {
  name: string;
  seen_at: number;
}

interface EventRow {
  id: string;
  organization_id: string;
  type: string;
  data: string;
  request_id: string | null;
  created_at: number;
  /** 1 for a test. */
  test: number;
}

/** Events on a SQL session. */
export function createSqlEvents(session: SqlSession): EventReads & EventWrites {
  return {
    async findEvent(id) {
      const [event] = await findEvents(session, [id]);
      return event ?? null;
    },
    findEvents: (ids) => findEvents(session, ids),
    insertEvent: (event) => insertEvent(session, toRow(event)),
    listOldEvents: (before, after, limit) => listOldEvents(session, before, after, limit),
    listEventsOf: (range, after, limit) => listEventsOf(session, range, after, limit),
    listEvents(organizationId, filter, page) {
      const newest = session
        .kysely<EventTables>()
        .selectFrom('probity_events')
        .where('organization_id', '=', organizationId)
        .select(['id', 'type', 'created_at', 'test'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      return pageOfPaths([listPath(newest, newest, { times: filter })], page, toListed);
    },
    deleteEvents: async (ids) => (ids.length > 0 ? deleteEvents(session, ids) : 0),
    listSubscribers: async () => (await selectSubscribers(session, {})).map(({ name }) => name),
    async registerSubscribers(names, at) {
      for (const name of names) await putSubscriber(session, { name, seen_at: at.getTime() });
    },
    deleteUnclaimedJobs: (limit) => deleteUnclaimedJobs(session, limit),
    deleteSubscribers(before) {
      const old = session
        .kysely<EventTables>()
        .deleteFrom('probity_event_subscribers')
        .where('seen_at', '<', before.getTime());
      return countChanges(old);
    },
  };
}

/** The outbox on a SQL session. */
export function createSqlOutbox(session: SqlSession, signal: JobSignal): Outbox {
  return {
    async append(event) {
      await insertEvent(session, toRow(event));
      await enqueueJobs(session, signal, [outboxJobOf(event)]);
    },
    async appendOnce(event) {
      const inserted = await insertMany(session, 'probity_events', [toRow(event)], {
        onConflictDoNothing: ['id'],
        returning: ['id'],
      });
      if (inserted.length === 0) return requireEvent(session, event.id);
      await enqueueJobs(session, signal, [outboxJobOf(event)]);
      return event;
    },
  };
}

const insertEvent = prepareInsert<EventRow>('probity_events', [
  'id',
  'organization_id',
  'type',
  'data',
  'request_id',
  'created_at',
  'test',
]);

const selectEventsById = prepareQuery<EventTables, { ids: string }, EventRow>(
  (db, value, dialect) =>
    db
      .selectFrom('probity_events')
      .selectAll()
      .where(isAmong(dialect, 'id', value('ids')))
      .where(({ exists, selectFrom, lit }) =>
        exists(
          selectFrom('probity_tenants')
            .select(lit(1).as('one'))
            .whereRef('probity_tenants.id', '=', 'probity_events.organization_id')
            .where('removed_at', 'is', null),
        ),
      ),
);

async function findEvents(session: SqlSession, ids: readonly string[]): Promise<EventRecord[]> {
  return (await selectEventsById(session, { ids: JSON.stringify(ids) })).map(toEvent);
}

const selectSubscribers = prepareQuery<EventTables, object, { name: string }>((db) =>
  db.selectFrom('probity_event_subscribers').select('name').orderBy('name'),
);

const putSubscriber = prepareUpsert<SubscriberRow>(
  'probity_event_subscribers',
  ['name', 'seen_at'],
  ['name'],
);

/** The event that kept another from being inserted; a deletion may have removed it since. */
async function requireEvent(session: SqlSession, id: string): Promise<EventRecord> {
  const [event] = await findEvents(session, [id]);
  if (event) return event;
  throw new ProbityError('conflict', `The event ${id} was deleted meanwhile; publish it again.`);
}

/** Whether a job, failed or not, names the event. */
function isNeeded(eb: ExpressionBuilder<EventTables, 'probity_events'>) {
  const naming = (table: 'probity_jobs' | 'probity_failed_jobs') =>
    eb.exists(
      eb
        .selectFrom(table)
        .select(eb.lit(1).as('one'))
        .whereRef(`${table}.event_id`, '=', 'probity_events.id'),
    );
  return eb.or([naming('probity_jobs'), naming('probity_failed_jobs')]);
}

async function listOldEvents(
  session: SqlSession,
  before: Date,
  after: EventPlace | null,
  limit: number,
): Promise<OldEvent[]> {
  const old = session
    .kysely<EventTables>()
    .selectFrom('probity_events')
    .select((eb) => [
      'id',
      'created_at',
      eb.case().when(isNeeded(eb)).then(eb.lit(1)).else(eb.lit(0)).end().as('needed'),
    ])
    .where('created_at', '<', before.getTime())
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  const rows = await (after ? old.where(isAfter(after)) : old).execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: toDate(row.created_at),
    isNeeded: row.needed === 1,
  }));
}

async function listEventsOf(
  session: SqlSession,
  { organizationId, since, until }: EventRange,
  after: EventPlace | null,
  limit: number,
): Promise<ListedEvent[]> {
  const start = after?.createdAt ?? since;
  const found = session
    .kysely<EventTables>()
    .selectFrom('probity_events')
    .select(['id', 'type', 'created_at', 'test'])
    .where('organization_id', '=', organizationId)
    .where('created_at', '>=', start.getTime())
    .where('created_at', '<', until.getTime())
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  const rows = await (after ? found.where(isAfter(after)) : found).execute();
  return rows.map(toListed);
}

function toListed(row: Pick<EventRow, 'id' | 'type' | 'created_at' | 'test'>): ListedEvent {
  return { id: row.id, type: row.type, createdAt: toDate(row.created_at), isTest: row.test === 1 };
}

function isAfter({ createdAt, id }: EventPlace) {
  return sql<boolean>`(created_at, id) > (${createdAt.getTime()}, ${id})`;
}

function deleteEvents(session: SqlSession, ids: readonly string[]): Promise<number> {
  const deletion = session
    .kysely<EventTables>()
    .deleteFrom('probity_events')
    .where('id', 'in', ids)
    .where((eb) => eb.not(isNeeded(eb)));
  return countChanges(deletion);
}

async function deleteUnclaimedJobs(session: SqlSession, limit: number): Promise<number> {
  const registered = new Set((await selectSubscribers(session, {})).map(({ name }) => name));
  let deleted = 0;
  for (const table of JOB_TABLES) {
    for (const queue of await queuesIn(session, table)) {
      const name = subscriberOfQueue(queue);
      if (name === null || registered.has(name) || deleted >= limit) continue;
      const jobs = session
        .kysely<EventTables>()
        .selectFrom(table)
        .select('id')
        .where('queue', '=', queue)
        .limit(limit - deleted);
      deleted += await deleteBatch(session, table, 'id', jobs);
    }
  }
  return deleted;
}

function toRow(event: EventRecord): EventRow {
  return {
    id: event.id,
    organization_id: event.organizationId,
    type: event.type,
    data: JSON.stringify(event.data),
    request_id: event.requestId,
    created_at: event.createdAt.getTime(),
    test: Number(event.isTest ?? false),
  };
}

function toEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type,
    data: JSON.parse(row.data) as EventRecord['data'],
    requestId: row.request_id,
    createdAt: toDate(row.created_at),
    ...(row.test === 1 ? { isTest: true } : {}),
  };
}

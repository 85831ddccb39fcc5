import { forUpdateSkipLocked, toDate } from '../sql/dialect.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import type { JobSignal } from './signal.ts';
import type { ClaimRequest, JobReads, JobWrites, LeasedJob, NewJob } from './storage.ts';

interface JobTables {
  jobs: JobRow;
}

interface JobRow {
  id: string;
  queue: string;
  lane: string;
  payload: string;
  /** When the job is due, or the end of its lease while it has one. */
  due_at: number;
  lease_token: string | null;
}

/** How many more due jobs than asked for are looked at, to find some in other lanes. */
const LOOK_AHEAD = 4;

const insertJob = prepareQuery<JobTables, JobRow, object>((db, value) =>
  db.insertInto('jobs').values({
    id: value('id'),
    queue: value('queue'),
    lane: value('lane'),
    payload: value('payload'),
    due_at: value('due_at'),
    lease_token: null,
  }),
);

const deleteHeld = prepareQuery<JobTables, Held, { id: string }>((db, value) =>
  db
    .deleteFrom('jobs')
    .where('id', '=', value('id'))
    .where('lease_token', '=', value('leaseToken'))
    .returning('id'),
);

const releaseHeld = prepareQuery<JobTables, Held & { dueAt: number }, { id: string }>((db, value) =>
  db
    .updateTable('jobs')
    .set({ due_at: value('dueAt'), lease_token: null })
    .where('id', '=', value('id'))
    .where('lease_token', '=', value('leaseToken'))
    .returning('id'),
);

interface Held {
  id: string;
  leaseToken: string;
}

/** Reads of the job table on a SQL session. */
export function createJobReads(session: SqlSession): JobReads {
  const db = () => session.kysely<JobTables>();
  return {
    async nextDueAt(queue, excludedLanes) {
      let query = db().selectFrom('jobs').select('due_at').where('queue', '=', queue);
      if (excludedLanes.length > 0) query = query.where('lane', 'not in', excludedLanes);
      const row = await query.orderBy('due_at').limit(1).executeTakeFirst();
      return row ? toDate(row.due_at) : null;
    },
    async countJobs(queue) {
      const { count } = await db()
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('queue', '=', queue)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** Changes of the job table on a SQL session. */
export function createJobWrites(session: SqlSession, signal: JobSignal): JobWrites {
  return {
    enqueueJobs: (jobs) => enqueueJobs(session, signal, jobs),
    async ensureJob(job) {
      const added = session.kysely<JobTables>().insertInto('jobs').values(toRow(job));
      await added.onConflict((conflict) => conflict.column('id').doNothing()).execute();
      session.afterCommit(() => signal.notify(job.queue));
    },
    claimJobs: (request) => claimJobs(session, request),
    async renewJobs(ids, leaseToken, leaseUntil) {
      if (ids.length === 0) return [];
      const renewed = await session
        .kysely<JobTables>()
        .updateTable('jobs')
        .set({ due_at: leaseUntil.getTime() })
        .where('id', 'in', ids)
        .where('lease_token', '=', leaseToken)
        .returning('id')
        .execute();
      return renewed.map(({ id }) => id);
    },
    async finishJob(id, leaseToken) {
      return (await deleteHeld(session, { id, leaseToken })).length > 0;
    },
    async rescheduleJob(id, leaseToken, dueAt) {
      const moved = await releaseHeld(session, { id, leaseToken, dueAt: dueAt.getTime() });
      return moved.length > 0;
    },
    async dropLane(queue, lane) {
      const { numDeletedRows } = await session
        .kysely<JobTables>()
        .deleteFrom('jobs')
        .where('queue', '=', queue)
        .where('lane', '=', lane)
        .where('lease_token', 'is', null)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Stores jobs and tells the workers of this process about their queues after the commit. */
export async function enqueueJobs(
  session: SqlSession,
  signal: JobSignal,
  jobs: readonly NewJob[],
): Promise<void> {
  for (const job of jobs) await insertJob(session, toRow(job));
  for (const queue of new Set(jobs.map((job) => job.queue))) {
    session.afterCommit(() => signal.notify(queue));
  }
}

/**
 * Looks at due jobs, oldest first, and takes what the lanes' capacities allow; looks again without
 * the lanes that are full for as long as that finds more.
 */
async function claimJobs(session: SqlSession, request: ClaimRequest): Promise<LeasedJob[]> {
  const chosen: JobRow[] = [];
  const takenByLane = new Map<string, number>();
  const fullLanes = new Set<string>();
  const wanted = request.limit * LOOK_AHEAD;
  for (;;) {
    const rows = await selectDue(session, request, wanted, fullLanes, chosen);
    for (const row of rows) {
      if (chosen.length === request.limit) break;
      const taken = takenByLane.get(row.lane) ?? 0;
      if (taken < request.laneCapacity(row.lane)) {
        chosen.push(row);
        takenByLane.set(row.lane, taken + 1);
      } else fullLanes.add(row.lane);
    }
    if (rows.length < wanted || chosen.length === request.limit) break;
  }
  if (chosen.length > 0) await lease(session, request, chosen);
  return chosen.map((row) => toLeasedJob(row, request));
}

function selectDue(
  session: SqlSession,
  { queue, now }: ClaimRequest,
  limit: number,
  fullLanes: ReadonlySet<string>,
  chosen: readonly JobRow[],
): Promise<JobRow[]> {
  let query = session
    .kysely<JobTables>()
    .selectFrom('jobs')
    .selectAll()
    .where('queue', '=', queue)
    .where('due_at', '<=', now.getTime());
  if (fullLanes.size > 0) query = query.where('lane', 'not in', [...fullLanes]);
  if (chosen.length > 0)
    query = query.where(
      'id',
      'not in',
      chosen.map(({ id }) => id),
    );
  const ordered = query.orderBy('due_at').orderBy('id').limit(limit);
  return forUpdateSkipLocked(session.dialect, ordered).execute();
}

async function lease(session: SqlSession, request: ClaimRequest, rows: JobRow[]): Promise<void> {
  await session
    .kysely<JobTables>()
    .updateTable('jobs')
    .set({ due_at: request.leaseUntil.getTime(), lease_token: request.leaseToken })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

function toRow(job: NewJob): JobRow {
  return {
    id: job.id,
    queue: job.queue,
    lane: job.lane,
    payload: JSON.stringify(job.payload),
    due_at: job.dueAt.getTime(),
    lease_token: null,
  };
}

function toLeasedJob(row: JobRow, { leaseUntil, leaseToken }: ClaimRequest): LeasedJob {
  return {
    id: row.id,
    queue: row.queue,
    lane: row.lane,
    payload: JSON.parse(row.payload) as LeasedJob['payload'],
    dueAt: leaseUntil,
    leaseToken,
  };
}

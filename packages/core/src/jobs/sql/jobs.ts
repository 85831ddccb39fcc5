import { sql } from 'kysely';
import { countChanges } from '../../sql/count-changes.ts';
import { toDateOrNull } from '../../sql/dialect.ts';
import { insertMany } from '../../sql/insert-many.ts';
import { isAmong } from '../../sql/is-among.ts';
import { pageOf } from '../../sql/page-of.ts';
import { prepareInsert } from '../../sql/prepare-insert.ts';
import { prepareQuery, prepareSql } from '../../sql/prepared-query.ts';
import type { SqlSession } from '../../sql/session.ts';
import { toErrorText } from '../error-text.ts';
import type { JobSignal } from '../signal.ts';
import type { HeldLease, JobReads, JobWrites, NewJob } from '../storage.ts';
import { claimJobs } from './claims.ts';
import { countJobs } from './count.ts';
import { setJobGroup } from './groups.ts';
import { oldestDueAt } from './oldest.ts';
import type { JobRow, JobTables } from './rows.ts';
import { JOB_COLUMNS, toJobRow, toPendingJob } from './rows.ts';

const insertJob = prepareInsert<JobRow>('probity_jobs', JOB_COLUMNS);

const selectFirstDue = prepareQuery<JobTables, { queue: string }, DueRow>((db, value) =>
  db
    .selectFrom('probity_jobs')
    .select('due_at')
    .where('queue', '=', value('queue'))
    .orderBy('due_at')
    .limit(1),
);

/** The next time at which a job is due or a group opens. */
const selectNextTime = prepareSql<{ queue: string; after: number }, { due_at: number | null }>(
  (value) => sql`
    select min(due_at) as due_at from (
      select due_at from (
        select due_at from probity_jobs
        where queue = ${value('queue')} and due_at > ${value('after')} order by due_at limit 1
      ) as next_job
      union all
      select opens_at from (
        select opens_at from probity_job_groups
        where queue = ${value('queue')} and opens_at > ${value('after')} order by opens_at limit 1
      ) as next_group
    ) as next_times`,
);

const deleteHeld = prepareQuery<JobTables, HeldJobs, { id: string }>((db, value, dialect) =>
  db
    .deleteFrom('probity_jobs')
    .where(isAmong(dialect, 'id', value('ids')))
    .where('lease_token', '=', value('leaseToken'))
    .returning('id'),
);

const releaseHeld = prepareQuery<JobTables, Released, { id: string }>((db, value) =>
  db
    .updateTable('probity_jobs')
    .set({ due_at: value('dueAt'), lease_token: null, attempts: 0, last_error: null })
    .where('id', '=', value('id'))
    .where('lease_token', '=', value('leaseToken'))
    .returning('id'),
);

const releaseFailed = prepareQuery<JobTables, ReleasedFailed, { id: string }>((db, value) =>
  db
    .updateTable('probity_jobs')
    .set({ due_at: value('dueAt'), lease_token: null, last_error: value('error') })
    .where('id', '=', value('id'))
    .where('lease_token', '=', value('leaseToken'))
    .returning('id'),
);

/** Skips locked rows: to wait for them in any order could deadlock with a transaction that stores several results. */
const renewHeld = prepareSql<{ leases: string; dueAt: number }, { id: string }>(
  (value, dialect) => {
    const held =
      dialect === 'postgres'
        ? sql`select id from probity_jobs
            where (id, lease_token) in (
              select id, lease_token
              from json_to_recordset(cast(${value('leases')} as json)) as held (id text, lease_token text))
            for update skip locked`
        : sql`select id from probity_jobs
            where (id, lease_token) in (
              select value ->> 'id', value ->> 'lease_token' from json_each(${value('leases')}))`;
    return sql`
      update probity_jobs set due_at = ${value('dueAt')}
      where id in (${held}) returning id`;
  },
);

type DueRow = Pick<JobRow, 'due_at'>;

/** Jobs of one claim. */
interface HeldJobs {
  /** As JSON. */
  ids: string;
  leaseToken: string;
}

interface Held {
  id: string;
  leaseToken: string;
}

interface Released extends Held {
  dueAt: number;
}

interface ReleasedFailed extends Released {
  error: string;
}

type PendingReads = Omit<JobReads, 'countFailedJobs' | 'listFailedJobs'>;
type PendingWrites = Omit<
  JobWrites,
  'failJob' | 'retryFailedJobs' | 'retryFailedBatch' | 'deleteFailedJobs'
>;

/** Reads of the job table on a SQL session. */
export function createJobReads(session: SqlSession): PendingReads {
  const jobsOf = (queue?: string) => {
    const query = session.kysely<JobTables>().selectFrom('probity_jobs');
    return queue === undefined ? query : query.where('queue', '=', queue);
  };
  const nextDueAt = async (queue: string, after?: Date) => {
    const [row] = after
      ? await selectNextTime(session, { queue, after: after.getTime() })
      : await selectFirstDue(session, { queue });
    return toDateOrNull(row?.due_at ?? null);
  };
  return {
    nextDueAt,
    oldestDueAt: async (queue) => toDateOrNull(await oldestDueAt(session, queue)),
    countJobs: (queue, max) => countJobs(session, jobsOf(queue), max),
    listJobs(page, queue) {
      const ordered = jobsOf(queue).selectAll().orderBy('due_at').orderBy('id');
      return pageOf(ordered, page, toPendingJob);
    },
  };
}

/** Writes of the job table on a SQL session. */
export function createJobWrites(session: SqlSession, signal: JobSignal): PendingWrites {
  return {
    enqueueJobs: (jobs) => enqueueJobs(session, signal, jobs),
    async ensureJob(job) {
      const inserted = await insertMany(session, 'probity_jobs', [toJobRow(job)], {
        onConflictDoNothing: ['id'],
        returning: ['id'],
      });
      session.afterCommit(() => signal.notify([job]));
      return inserted.length > 0;
    },
    async setJobGroup(group, rule) {
      await setJobGroup(session, group, rule);
      session.afterCommit(() => signal.notify([group]));
    },
    claimJobs: (request) => claimJobs(session, request),
    async renewJobs(leases, leaseUntil) {
      if (leases.length === 0) return [];
      const held = leases.map(({ id, leaseToken }) => ({ id, lease_token: leaseToken }));
      const values = { leases: JSON.stringify(held), dueAt: leaseUntil.getTime() };
      return (await renewHeld(session, values)).map(({ id }) => id);
    },
    bringForwardJobs(queue, after, dueAt) {
      const later = session
        .kysely<JobTables>()
        .updateTable('probity_jobs')
        .set({ due_at: dueAt.getTime() })
        .where('queue', '=', queue)
        .where('due_at', '>', after.getTime());
      return countChanges(later);
    },
    finishJobs: (leases) => finishJobs(session, leases),
    async rescheduleJob(id, leaseToken, dueAt, error = null) {
      const held = { id, leaseToken, dueAt: dueAt.getTime() };
      const released =
        error === null
          ? await releaseHeld(session, held)
          : await releaseFailed(session, { ...held, error: toErrorText(error) });
      return released.length > 0;
    },
    async dropJobs(ids) {
      if (ids.length === 0) return 0;
      const unleased = session
        .kysely<JobTables>()
        .deleteFrom('probity_jobs')
        .where('id', 'in', ids)
        .where('lease_token', 'is', null);
      return countChanges(unleased);
    },
  };
}

/** By one statement for each claim, whose jobs have one lease token. */
async function finishJobs(session: SqlSession, leases: readonly HeldLease[]): Promise<string[]> {
  const byToken = new Map<string, string[]>();
  for (const { id, leaseToken } of leases) {
    const ofToken = byToken.get(leaseToken);
    if (ofToken) ofToken.push(id);
    else byToken.set(leaseToken, [id]);
  }
  const finished: string[] = [];
  for (const [leaseToken, ids] of byToken) {
    const rows = await deleteHeld(session, { ids: JSON.stringify(ids), leaseToken });
    finished.push(...rows.map(({ id }) => id));
  }
  return finished;
}

/** Stores jobs and notifies the workers of this process after the commit. */
export async function enqueueJobs(
  session: SqlSession,
  signal: JobSignal,
  jobs: readonly NewJob[],
): Promise<void> {
  const [only] = jobs;
  if (only && jobs.length === 1) await insertJob(session, toJobRow(only));
  else await insertMany(session, 'probity_jobs', jobs.map(toJobRow));
  session.afterCommit(() => signal.notify(jobs));
}

import { deleteBatch } from '../../sql/count-changes.ts';
import { forUpdateSkipLocked } from '../../sql/dialect.ts';
import { insertMany } from '../../sql/insert-many.ts';
import { pageOf } from '../../sql/page-of.ts';
import { prepareUpsert } from '../../sql/prepare-insert.ts';
import type { SqlSession } from '../../sql/session.ts';
import { toErrorText } from '../error-text.ts';
import { toTenantId } from '../fair-choice.ts';
import type { JobSignal } from '../signal.ts';
import type { JobReads, JobWrites } from '../storage.ts';
import { countJobs } from './count.ts';
import type { FailedJobRow, JobTables } from './rows.ts';
import { toFailedJob, toJobRow } from './rows.ts';

const putFailedJob = prepareUpsert<FailedJobRow>(
  'probity_failed_jobs',
  [
    'id',
    'queue',
    'tenant_id',
    'group_key',
    'payload',
    'attempts',
    'last_error',
    'failed_at',
    'event_id',
  ],
  ['id'],
);

type FailedJobReads = Pick<JobReads, 'countFailedJobs' | 'listFailedJobs'>;
type FailedJobWrites = Pick<
  JobWrites,
  'failJob' | 'retryFailedJobs' | 'retryFailedBatch' | 'deleteFailedJobs'
>;

/** Reads of the table of failed jobs on a SQL session. */
export function createFailedJobReads(session: SqlSession): FailedJobReads {
  const failedOf = (queue?: string) => {
    const query = session.kysely<JobTables>().selectFrom('probity_failed_jobs');
    return queue === undefined ? query : query.where('queue', '=', queue);
  };
  return {
    countFailedJobs: (queue, max) => countJobs(session, failedOf(queue), max),
    listFailedJobs(page, queue) {
      const latest = failedOf(queue).selectAll().orderBy('failed_at', 'desc').orderBy('id', 'desc');
      return pageOf(latest, page, toFailedJob);
    },
  };
}

/** Writes of the table of failed jobs on a SQL session. */
export function createFailedJobWrites(session: SqlSession, signal: JobSignal): FailedJobWrites {
  const db = () => session.kysely<JobTables>();
  const taken = () => db().deleteFrom('probity_failed_jobs').returningAll();
  /** Makes jobs due that were deleted from the failed ones; returns the ids of those stored. */
  const restore = async (rows: readonly FailedJobRow[], dueAt: Date): Promise<string[]> => {
    const jobs = rows.map((row) => toJobRow({ ...toFailedJob(row), dueAt }));
    const retried = await insertMany(session, 'probity_jobs', jobs, {
      onConflictDoNothing: ['id'],
      returning: ['id', 'queue', 'tenant_id'],
    });
    const stored = retried.map((row) => ({ ...row, tenantId: toTenantId(row.tenant_id) }));
    session.afterCommit(() => signal.notify(stored));
    return retried.map(({ id }) => id);
  };
  return {
    async failJob(id, leaseToken, { error, failedAt, attempts }) {
      const [job] = await db()
        .deleteFrom('probity_jobs')
        .where('id', '=', id)
        .where('lease_token', '=', leaseToken)
        .returning(['queue', 'tenant_id', 'group_key', 'payload', 'event_id'])
        .execute();
      if (!job) return false;
      const last_error = toErrorText(error);
      await putFailedJob(session, {
        ...job,
        id,
        attempts,
        last_error,
        failed_at: failedAt.getTime(),
      });
      return true;
    },
    async retryFailedJobs(ids, dueAt) {
      if (ids.length === 0) return [];
      return restore(await taken().where('id', 'in', ids).execute(), dueAt);
    },
    async retryFailedBatch({ queue, failedUntil, limit }, dueAt) {
      const first = db()
        .selectFrom('probity_failed_jobs')
        .select('id')
        .where('queue', '=', queue)
        .where('failed_at', '<=', failedUntil.getTime())
        .orderBy('failed_at')
        .orderBy('id')
        .limit(limit);
      const unlocked = forUpdateSkipLocked(session.dialect, first);
      const rows = await taken().where('id', 'in', unlocked).execute();
      return { taken: rows.length, retried: (await restore(rows, dueAt)).length };
    },
    deleteFailedJobs(before, limit) {
      const old = db()
        .selectFrom('probity_failed_jobs')
        .select('id')
        .where('failed_at', '<', before.getTime())
        .orderBy('failed_at')
        .orderBy('id')
        .limit(limit);
      return deleteBatch(session, 'probity_failed_jobs', 'id', old);
    },
  };
}

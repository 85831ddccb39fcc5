import type { SqlSession } from '../../sql/session.ts';

/** The tables of jobs, both with the queue and the tenant of each. */
export const JOB_TABLES = ['probity_jobs', 'probity_failed_jobs'] as const;

type QueueTables = Record<(typeof JOB_TABLES)[number], { queue: string }>;

/** The queues with jobs in a table: one look-up in the index for each, however many jobs there are. */
export async function queuesIn(
  session: SqlSession,
  table: (typeof JOB_TABLES)[number],
): Promise<string[]> {
  const queues: string[] = [];
  for (;;) {
    const last = queues.at(-1);
    const first = session
      .kysely<QueueTables>()
      .selectFrom(table)
      .select('queue')
      .orderBy('queue')
      .limit(1);
    const next = last === undefined ? first : first.where('queue', '>', last);
    const row = await next.executeTakeFirst();
    if (!row) return queues;
    queues.push(row.queue);
  }
}

import { sql } from 'kysely';
import { forUpdateSkipLocked } from '../../sql/dialect.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { ClaimRequest, LeasedJob } from '../storage.ts';
import { LEASE_RAN_OUT } from '../storage.ts';
import { SUSPECT_AFTER_ATTEMPTS } from '../suspects.ts';
import type { JobRow, JobTables } from './rows.ts';
import { toLeasedJob } from './rows.ts';

/** Number of due jobs read beyond the requested number, to find some in other groups. */
const LOOK_AHEAD = 4;

/**
 * Reads due jobs, oldest first, and takes as many as the groups' capacities allow; repeats without
 * the full groups, the excluded jobs it read and more suspects, as long as that finds more.
 */
export async function claimJobs(session: SqlSession, request: ClaimRequest): Promise<LeasedJob[]> {
  const chosen: JobRow[] = [];
  const readIds: string[] = [];
  let excludeSuspects = request.excludeSuspects ?? false;
  const takenByGroup = new Map<string, number>();
  const fullGroups = new Set<string>();
  const wanted = request.limit * LOOK_AHEAD;
  for (;;) {
    const rows = await selectDue(
      session,
      { ...request, excludeSuspects },
      wanted,
      fullGroups,
      readIds,
    );
    for (const row of rows) {
      if (chosen.length === request.limit) break;
      if (request.excludedIds?.has(row.id)) {
        readIds.push(row.id);
        continue;
      }
      const isSuspect = row.lease_token !== null && row.attempts >= SUSPECT_AFTER_ATTEMPTS;
      if (isSuspect && excludeSuspects) continue;
      const taken = takenByGroup.get(row.group_key) ?? 0;
      if (taken < request.groupCapacity(row.group_key)) {
        chosen.push(row);
        readIds.push(row.id);
        takenByGroup.set(row.group_key, taken + 1);
        excludeSuspects ||= isSuspect;
      } else fullGroups.add(row.group_key);
    }
    if (rows.length < wanted || chosen.length === request.limit) break;
  }
  if (chosen.length > 0) await lease(session, request, chosen);
  return chosen.map((row) => toLeasedJob(row, request));
}

function selectDue(
  session: SqlSession,
  { queue, now, excludeSuspects }: ClaimRequest,
  limit: number,
  fullGroups: ReadonlySet<string>,
  readIds: readonly string[],
): Promise<JobRow[]> {
  let query = session
    .kysely<JobTables>()
    .selectFrom('probity_jobs')
    .selectAll()
    .where('queue', '=', queue)
    .where('due_at', '<=', now.getTime());
  if (excludeSuspects) {
    query = query.where((eb) =>
      eb.or([eb('lease_token', 'is', null), eb('attempts', '<', SUSPECT_AFTER_ATTEMPTS)]),
    );
  }
  if (fullGroups.size > 0) query = query.where('group_key', 'not in', [...fullGroups]);
  if (readIds.length > 0) query = query.where('id', 'not in', readIds);
  const ordered = query.orderBy('due_at').orderBy('id').limit(limit);
  return forUpdateSkipLocked(session.dialect, ordered).execute();
}

/** Leases the rows and counts an attempt for each. */
async function lease(
  session: SqlSession,
  { leaseUntil, leaseToken }: ClaimRequest,
  rows: readonly JobRow[],
): Promise<void> {
  const isAbandoned = rows.some(({ lease_token }) => lease_token !== null);
  const error = sql<
    string | null
  >`case when lease_token is null then last_error else ${LEASE_RAN_OUT} end`;
  await session
    .kysely<JobTables>()
    .updateTable('probity_jobs')
    .set((eb) => ({
      due_at: leaseUntil.getTime(),
      lease_token: leaseToken,
      attempts: eb('attempts', '+', 1),
      ...(isAbandoned ? { last_error: error } : {}),
    }))
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

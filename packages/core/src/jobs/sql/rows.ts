import { toDate } from '../../sql/dialect.ts';
import { toTenantId, toTenantKey } from '../fair-choice.ts';
import type { ClaimRequest, FailedJob, LeasedJob, NewJob, PendingJob } from '../storage.ts';
import { LEASE_RAN_OUT } from '../storage.ts';

/** The tables of jobs. */
export interface JobTables {
  probity_jobs: JobRow;
  probity_failed_jobs: FailedJobRow;
}

/** A job that is not finished. */
export interface JobRow {
  id: string;
  queue: string;
  /** The tenant's id; empty for work of the installation. */
  tenant_id: string;
  group_key: string;
  payload: string;
  /** Time when the job is due, or the end of its lease while it is leased. */
  due_at: number;
  lease_token: string | null;
  attempts: number;
  last_error: string | null;
  /** The event that the payload names, which retention keeps meanwhile. */
  event_id: string | null;
}

/** A job that was given up. */
export interface FailedJobRow {
  id: string;
  queue: string;
  tenant_id: string;
  group_key: string;
  payload: string;
  attempts: number;
  last_error: string;
  failed_at: number;
  event_id: string | null;
}

/** The columns of `probity_jobs`. */
export const JOB_COLUMNS = [
  'id',
  'queue',
  'tenant_id',
  'group_key',
  'payload',
  'due_at',
  'lease_token',
  'attempts',
  'last_error',
  'event_id',
] as const satisfies ReadonlyArray<keyof JobRow>;

export function toJobRow(job: NewJob): JobRow {
  return {
    id: job.id,
    queue: job.queue,
    tenant_id: toTenantKey(job.tenantId),
    group_key: job.group,
    payload: JSON.stringify(job.payload),
    due_at: job.dueAt.getTime(),
    lease_token: null,
    attempts: 0,
    last_error: null,
    event_id: job.payload.eventId ?? null,
  };
}

/** Converts a row to the job as it was before the claim. */
export function toLeasedJob(
  row: JobRow,
  { leaseUntil, leaseToken }: ClaimRequest,
  isOrdered: boolean,
): LeasedJob {
  const isAbandoned = row.lease_token !== null;
  // Without a spread: this runs for each job of a claim.
  return {
    id: row.id,
    queue: row.queue,
    tenantId: toTenantId(row.tenant_id),
    group: row.group_key,
    payload: JSON.parse(row.payload) as NewJob['payload'],
    dueAt: leaseUntil,
    leaseToken,
    attempts: row.attempts + 1,
    lastError: isAbandoned ? LEASE_RAN_OUT : row.last_error,
    isAbandoned,
    isOrdered,
  };
}

export function toPendingJob(row: JobRow): PendingJob {
  return {
    ...toFacts(row),
    dueAt: toDate(row.due_at),
    attempts: row.attempts,
    lastError: row.last_error,
    isLeased: row.lease_token !== null,
  };
}

export function toFailedJob(row: FailedJobRow): FailedJob {
  return {
    ...toFacts(row),
    attempts: row.attempts,
    lastError: row.last_error,
    failedAt: toDate(row.failed_at),
  };
}

function toFacts(row: JobRow | FailedJobRow): Omit<NewJob, 'dueAt'> {
  return {
    id: row.id,
    queue: row.queue,
    tenantId: toTenantId(row.tenant_id),
    group: row.group_key,
    payload: JSON.parse(row.payload) as NewJob['payload'],
  };
}

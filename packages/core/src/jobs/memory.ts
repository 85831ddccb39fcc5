import type { MemorySession } from '../storage/memory.ts';
import { byTime, pageOf, reversed } from '../storage/memory-rows.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { toErrorText } from './error-text.ts';
import { FairChoice, toTenantKey } from './fair-choice.ts';
import type { JobSignal } from './signal.ts';
import type { StartLimit, Starts } from './starts.ts';
import { afterStarts, startsLeft } from './starts.ts';
import type {
  ClaimRequest,
  FailedJob,
  JobGroupRule,
  JobReads,
  JobWrites,
  LeasedJob,
  NewJob,
  PendingJob,
} from './storage.ts';
import { LEASE_RAN_OUT } from './storage.ts';

interface StoredJob extends Omit<PendingJob, 'isLeased'> {
  readonly leaseToken: string | null;
}

/** The table of jobs; a job is not its tenant's: it outlives the tenant and finds nothing to do. */
export const JOBS = defineMemoryTable<StoredJob>('jobs', null);

/** The table of failed jobs. */
export const FAILED_JOBS = defineMemoryTable<FailedJob>('failed_jobs', null);

/** A group with a rule; its id is `queue`, tenant and group as JSON. */
interface StoredGroup extends JobGroupRule {
  readonly starts: Starts;
  /** Of an ordered group, the job that began last. */
  readonly currentJob: string | null;
  readonly queue: string;
  readonly organizationId: string;
  readonly opensAt: Date;
  /** The last claim. */
  readonly claimedAt: Date;
}

/** The table of groups with a rule. */
const JOB_GROUPS = defineMemoryTable<StoredGroup>('job_groups', 'organizationId');

const byDueTime = byTime<NewJob>(({ dueAt }) => dueAt);
const byFailure = byTime<FailedJob>(({ failedAt }) => failedAt);

interface Tables {
  jobs(): MemoryTable<StoredJob>;
  failedJobs(): MemoryTable<FailedJob>;
  groups(): MemoryTable<StoredGroup>;
}

type AnnounceJobs = (stored: ReadonlyArray<Pick<NewJob, 'queue' | 'tenantId'>>) => void;

/** Jobs in memory. */
export function createMemoryJobs(session: MemorySession, signal: JobSignal): JobReads & JobWrites {
  const tables: Tables = {
    jobs: () => session.table(JOBS),
    failedJobs: () => session.table(FAILED_JOBS),
    groups: () => session.table(JOB_GROUPS),
  };
  const announce: AnnounceJobs = (stored) => session.afterCommit(() => signal.notify(stored));
  return {
    ...createReads(tables),
    ...createQueueWrites(tables, announce),
    ...createEndings(tables),
    ...createFailedWrites(tables, announce),
  };
}

function createReads({ jobs, failedJobs, groups }: Tables): JobReads {
  const nextDueAt = (matches: (job: NewJob) => boolean) =>
    jobs().filter(matches).sort(byDueTime)[0]?.dueAt ?? null;
  const failedOf = (queue?: string) =>
    failedJobs().filter((job) => queue === undefined || job.queue === queue);
  return {
    async nextDueAt(queue, after) {
      const nextDue = nextDueAt((job) => job.queue === queue && (!after || job.dueAt > after));
      if (!after) return nextDue;
      const opening = groups().filter((row) => row.queue === queue && row.opensAt > after);
      const times = [nextDue, ...opening.map(({ opensAt }) => opensAt)];
      return times.reduce((first, time) => (!first || (time && time < first) ? time : first));
    },
    async oldestDueAt(queue) {
      const times = jobs()
        .filter((job) => job.queue === queue)
        .map((job) => {
          const rule = groups().get(groupKey(job));
          const current = rule?.isOrdered ? jobs().get(rule.currentJob ?? '') : undefined;
          const times = [job.dueAt, rule?.claimedAt ?? NEVER, current?.dueAt ?? NEVER];
          return Math.max(...times.map(Number));
        });
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
    async countJobs(queue, max = Number.POSITIVE_INFINITY) {
      return Math.min(max, jobs().filter((job) => job.queue === queue).length);
    },
    async listJobs(page, queue) {
      const found = jobs().filter((job) => queue === undefined || job.queue === queue);
      return pageOf(found.map(toPending), page, byDueTime);
    },
    async countFailedJobs(queue, max = Number.POSITIVE_INFINITY) {
      return Math.min(max, failedOf(queue).length);
    },
    async listFailedJobs(page, queue) {
      return pageOf(failedOf(queue), page, reversed(byFailure));
    },
  };
}

type QueueWrites =
  | 'bringForwardJobs'
  | 'enqueueJobs'
  | 'ensureJob'
  | 'setJobGroup'
  | 'claimJobs'
  | 'dropJobs';

function createQueueWrites(
  { jobs, groups }: Tables,
  announce: AnnounceJobs,
): Pick<JobWrites, QueueWrites> {
  return {
    async enqueueJobs(added) {
      for (const job of added) jobs().put(job.id, toStored(job));
      announce(added);
    },
    async ensureJob(job) {
      const isNew = !jobs().get(job.id);
      if (isNew) jobs().put(job.id, toStored(job));
      announce([job]);
      return isNew;
    },
    async bringForwardJobs(queue, after, dueAt) {
      const later = jobs().filter((job) => job.queue === queue && job.dueAt > after);
      for (const job of later) jobs().put(job.id, { ...job, dueAt });
      return later.length;
    },
    async setJobGroup(group, rule) {
      const key = groupKey(group);
      announce([group]);
      if (rule.startsPerSecond === null && !rule.isOrdered) {
        groups().delete(key);
        return;
      }
      const { starts = [], currentJob = null, claimedAt = NEVER } = groups().get(key) ?? {};
      const { queue, tenantId: organizationId } = group;
      const claims = { starts, currentJob, claimedAt };
      groups().put(key, { ...rule, queue, organizationId, ...claims, opensAt: NEVER });
    },
    async claimJobs(request) {
      const { queue, now, excludedIds } = request;
      const nowMs = now.getTime();
      const ruleOf = (group: string, tenantId: string | null) =>
        groups().get(groupKey({ queue, tenantId, group }));
      const groupCapacity = (group: string, tenantId: string | null) => {
        const rule = ruleOf(group, tenantId);
        const limits = [request.groupCapacity(group, tenantId)];
        if (rule?.isOrdered) limits.push(1);
        if (hasLimit(rule)) limits.push(startsLeft(rule, nowMs));
        return Math.min(...limits);
      };
      const isNext = (job: StoredJob) => {
        const rule = ruleOf(job.group, job.tenantId);
        if (!rule?.isOrdered) return true;
        const { currentJob } = rule;
        if (currentJob !== null && jobs().get(currentJob)) return job.id === currentJob;
        const ofGroup = jobs().filter((other) => groupKey(other) === groupKey(job));
        return ofGroup.sort(byOrder)[0]?.id === job.id;
      };
      const due = jobs().filter(
        (job) =>
          job.queue === queue &&
          job.dueAt <= now &&
          !excludedIds?.has(job.id) &&
          !request.passedOver?.has(job.tenantId) &&
          isNext(job),
      );
      const choice = new FairChoice<LeasedJob>({ ...request, groupCapacity });
      const isOrdered = ({ group, tenantId }: StoredJob) =>
        ruleOf(group, tenantId)?.isOrdered ?? false;
      choice.take(due.sort(byDueTime).map((job) => toLeased(job, request, isOrdered(job))));
      for (const tenantId of new Set(due.map((job) => job.tenantId))) {
        const own = due.filter((job) => job.tenantId === tenantId);
        const key = toTenantKey(tenantId);
        if (own.every(({ group }) => choice.groupCapacity(key, group) <= 0)) {
          request.onFull?.(tenantId);
        }
      }
      for (const { id, group, tenantId } of choice.chosen) {
        const rule = ruleOf(group, tenantId);
        if (!rule) continue;
        const { starts, opensAtMs } = hasLimit(rule)
          ? afterStarts(rule, nowMs, 1)
          : { starts: rule.starts, opensAtMs: 0 };
        const opensAt = new Date(opensAtMs);
        const after = { ...rule, currentJob: id, starts, opensAt, claimedAt: now };
        groups().put(groupKey({ queue, tenantId, group }), after);
      }
      return choice.chosen.map((job) => {
        const { isAbandoned: _, isOrdered: __, ...stored } = job;
        jobs().put(stored.id, stored);
        return job;
      });
    },
    async dropJobs(ids) {
      return ids.filter((id) => jobs().get(id)?.leaseToken === null && jobs().delete(id)).length;
    },
  };
}

function createEndings({
  jobs,
  failedJobs,
}: Tables): Pick<JobWrites, 'renewJobs' | 'finishJobs' | 'rescheduleJob' | 'failJob'> {
  const held = (id: string, leaseToken: string) => {
    const job = jobs().get(id);
    return job?.leaseToken === leaseToken ? job : undefined;
  };
  return {
    async renewJobs(leases, leaseUntil) {
      return leases.flatMap(({ id, leaseToken }) => {
        const job = held(id, leaseToken);
        if (!job) return [];
        jobs().put(id, { ...job, dueAt: leaseUntil });
        return [id];
      });
    },
    async finishJobs(leases) {
      const finished = leases.filter(({ id, leaseToken }) => held(id, leaseToken) !== undefined);
      for (const { id } of finished) jobs().delete(id);
      return finished.map(({ id }) => id);
    },
    async rescheduleJob(id, leaseToken, dueAt, error = null) {
      const job = held(id, leaseToken);
      const attempt =
        error === null ? { attempts: 0, lastError: null } : { lastError: toErrorText(error) };
      if (job) jobs().put(id, { ...job, dueAt, leaseToken: null, ...attempt });
      return job !== undefined;
    },
    async failJob(id, leaseToken, { error, failedAt, attempts }) {
      const job = held(id, leaseToken);
      if (!job) return false;
      const { queue, tenantId, group, payload } = job;
      const lastError = toErrorText(error);
      jobs().delete(id);
      const failed = { id, queue, tenantId, group, payload, attempts, lastError, failedAt };
      failedJobs().put(id, failed);
      return true;
    },
  };
}

function createFailedWrites(
  { jobs, failedJobs }: Tables,
  announce: AnnounceJobs,
): Pick<JobWrites, 'retryFailedJobs' | 'retryFailedBatch' | 'deleteFailedJobs'> {
  const restore = (taken: readonly FailedJob[], dueAt: Date): string[] => {
    for (const { id } of taken) failedJobs().delete(id);
    const retried = taken.filter(({ id }) => !jobs().get(id)).map((job) => ({ ...job, dueAt }));
    for (const job of retried) jobs().put(job.id, toStored(job));
    announce(retried);
    return retried.map(({ id }) => id);
  };
  return {
    async retryFailedJobs(ids, dueAt) {
      return restore(
        failedJobs().filter(({ id }) => ids.includes(id)),
        dueAt,
      );
    },
    async retryFailedBatch({ queue, failedUntil, limit }, dueAt) {
      const failed = failedJobs().filter(
        (job) => job.queue === queue && job.failedAt <= failedUntil,
      );
      const taken = failed.sort(byFailure).slice(0, limit);
      return { taken: taken.length, retried: restore(taken, dueAt).length };
    },
    async deleteFailedJobs(before, limit) {
      const old = failedJobs().filter(({ failedAt }) => failedAt < before);
      const deleted = old.sort(byFailure).slice(0, limit);
      return deleted.filter(({ id }) => failedJobs().delete(id)).length;
    },
  };
}

function toStored({ id, queue, tenantId, group, payload, dueAt }: NewJob): StoredJob {
  const job = { id, queue, tenantId, group, payload, dueAt };
  return { ...job, leaseToken: null, attempts: 0, lastError: null };
}

/** The job as it would be claimed. */
function toLeased(
  job: StoredJob,
  { leaseUntil, leaseToken }: ClaimRequest,
  isOrdered: boolean,
): LeasedJob {
  const isAbandoned = job.leaseToken !== null;
  const lastError = isAbandoned ? LEASE_RAN_OUT : job.lastError;
  const attempts = job.attempts + 1;
  return { ...job, dueAt: leaseUntil, leaseToken, attempts, lastError, isAbandoned, isOrdered };
}

function hasLimit(rule: StoredGroup | undefined): rule is StoredGroup & StartLimit {
  return typeof rule?.startsPerSecond === 'number';
}

/** The order of the jobs of an ordered group. */
function byOrder(left: NewJob, right: NewJob): number {
  const [leftEvent, rightEvent] = [left.payload.eventId ?? '', right.payload.eventId ?? ''];
  const byTime = left.dueAt.getTime() - right.dueAt.getTime();
  if (byTime !== 0) return byTime;
  return leftEvent < rightEvent ? -1 : leftEvent > rightEvent ? 1 : left.id < right.id ? -1 : 1;
}

/** Of a group that is open. */
const NEVER = new Date(0);

function groupKey({
  queue,
  tenantId,
  group,
}: Pick<NewJob, 'queue' | 'tenantId' | 'group'>): string {
  return JSON.stringify([queue, tenantId, group]);
}

function toPending({ leaseToken, ...job }: StoredJob): PendingJob {
  return { ...job, isLeased: leaseToken !== null };
}

import type { MemorySession, MemoryTable } from '../storage/memory.ts';
import type { JobSignal } from './signal.ts';
import type { JobReads, JobWrites, LeasedJob, NewJob } from './storage.ts';

interface StoredJob extends NewJob {
  leaseToken: string | null;
}

/** Jobs in memory. */
export function createMemoryJobs(session: MemorySession, signal: JobSignal): JobReads & JobWrites {
  const jobs = () => session.table<StoredJob>('jobs');
  const announce = (queue: string) => session.afterCommit(() => signal.notify(queue));
  return { ...createJobReads(jobs), ...createJobWrites(jobs, announce) };
}

function createJobReads(jobs: () => MemoryTable<StoredJob>): JobReads {
  return {
    async nextDueAt(queue, excludedLanes) {
      const waiting = jobs().filter(
        (job) => job.queue === queue && !excludedLanes.includes(job.lane),
      );
      return waiting.sort(byDueTime)[0]?.dueAt ?? null;
    },
    async countJobs(queue) {
      return jobs().filter((job) => job.queue === queue).length;
    },
  };
}

function createJobWrites(
  jobs: () => MemoryTable<StoredJob>,
  announce: (queue: string) => void,
): JobWrites {
  const held = (id: string, leaseToken: string) => {
    const job = jobs().get(id);
    return job?.leaseToken === leaseToken ? job : undefined;
  };
  return {
    async enqueueJobs(added) {
      for (const job of added) jobs().put(job.id, { ...job, leaseToken: null });
      for (const queue of new Set(added.map((job) => job.queue))) announce(queue);
    },
    async ensureJob(job) {
      if (!jobs().get(job.id)) jobs().put(job.id, { ...job, leaseToken: null });
      announce(job.queue);
    },
    async claimJobs({ queue, now, leaseUntil, leaseToken, limit, laneCapacity }) {
      const due = jobs().filter((job) => job.queue === queue && job.dueAt <= now);
      const taken: LeasedJob[] = [];
      for (const job of due.sort(byDueTime)) {
        const inLane = taken.filter(({ lane }) => lane === job.lane).length;
        if (taken.length >= limit || inLane >= laneCapacity(job.lane)) continue;
        const leased = { ...job, dueAt: leaseUntil, leaseToken };
        jobs().put(job.id, leased);
        taken.push(leased);
      }
      return taken;
    },
    async renewJobs(ids, leaseToken, leaseUntil) {
      const renewed = ids.filter((id) => held(id, leaseToken));
      for (const id of renewed) {
        const job = held(id, leaseToken);
        if (job) jobs().put(id, { ...job, dueAt: leaseUntil });
      }
      return renewed;
    },
    async finishJob(id, leaseToken) {
      return held(id, leaseToken) !== undefined && jobs().delete(id);
    },
    async rescheduleJob(id, leaseToken, dueAt) {
      const job = held(id, leaseToken);
      if (job) jobs().put(id, { ...job, dueAt, leaseToken: null });
      return job !== undefined;
    },
    async dropLane(queue, lane) {
      const dropped = jobs().filter(
        (job) => job.queue === queue && job.lane === lane && job.leaseToken === null,
      );
      return dropped.filter((job) => jobs().delete(job.id)).length;
    },
  };
}

function byDueTime(left: NewJob, right: NewJob): number {
  return left.dueAt.getTime() - right.dueAt.getTime() || (left.id < right.id ? -1 : 1);
}

import assert from 'node:assert/strict';
import { verifyAuditChain } from '../audit/audit-log.ts';
import { createAuditTrimmer } from '../audit/retention.ts';
import type { Clock } from '../clock.ts';
import { createEventRetention } from '../events/retention.ts';
import { silentLogger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { ContractDatabase, ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { createTestTenant } from '../testing/fixtures.ts';
import {
  at,
  claim,
  countJobs,
  enqueue,
  newAuditEntry,
  newEvent,
  newJob,
  recordAudit,
} from '../testing/records.ts';
import { createRetention } from './retention.ts';

/** Contract checks of retention: it removes events, idempotency records and the start of audit logs. */
export const retentionPromises: ContractPromises = {
  'old events are removed oldest first, except those that a job still names': async (opened) => {
    const { database } = opened;
    const organizationId = await createTenant(opened);
    const append = async (ms: number) => {
      const event = newEvent(organizationId, { createdAt: at(ms) });
      await inTransaction(database, (tx) => tx.outbox.append(event));
      return event.id;
    };
    const old = [await append(1), await append(2), await append(3)];
    await append(10);
    const remove = (limit: number) => createEventRetention(database, []).deleteBatch(at(10), limit);
    assert.equal(await remove(9), 0, 'their outbox jobs are not done');
    const { items: jobs } = await database
      .kernel(database.reader)
      .listJobs({ limit: 9, offset: 0 }, 'outbox');
    await inTransaction(database, (tx) => tx.dropJobs(jobs.map(({ id }) => id)));
    const naming = newJob({ payload: { eventId: old[1] as string } });
    await enqueue(database, naming, newJob());
    assert.deepEqual([await remove(1), await remove(9), await remove(9)], [1, 1, 0]);
    await claim(database, 'w');
    const failure = { error: 'e', failedAt: at(0), attempts: 1 };
    await inTransaction(database, (tx) => tx.failJob(naming.id, 'w', failure));
    assert.equal(await remove(9), 0, 'a failed job names it');
    const reads = database.kernel(database.reader);
    const left = await Promise.all(old.map((id) => reads.findEvent(id)));
    assert.deepEqual(
      left.map((event) => event?.id ?? null),
      [null, old[1], null],
    );
  },

  'old events are found behind those that jobs need, and what refers to them is removed first':
    async (opened) => {
      const { database } = opened;
      const organizationId = await createTenant(opened);
      const events = [1, 2, 3, 3, 4].map((ms) => newEvent(organizationId, { createdAt: at(ms) }));
      for (const event of events) {
        await inTransaction(database, (tx) => tx.outbox.append(event));
      }
      const { items: jobs } = await database
        .kernel(database.reader)
        .listJobs({ limit: 9, offset: 0 }, 'outbox');
      await inTransaction(database, (tx) => tx.dropJobs(jobs.map(({ id }) => id)));
      const [first, second, ...others] = events.map(({ id }) => id);
      const naming = (eventId?: string) => newJob({ payload: { eventId: eventId as string } });
      await enqueue(database, naming(first), naming(second));
      const asked: Array<readonly string[]> = [];
      let dependents = 3;
      const rule = createEventRetention(database, [
        {
          async deleteOfEvents(ids, limit) {
            asked.push([...ids].sort());
            const deleted = Math.min(limit, dependents);
            dependents -= deleted;
            return deleted;
          },
        },
      ]);
      const clock = { monotonicMs: () => 0, now: () => at(9) };
      const rules = [{ name: 'events', olderThanMs: 0, ...rule }];
      const options = { rules, clock: clock as Clock, batchSize: 2, pause: async () => undefined };
      assert.deepEqual(await createRetention(options).run(), { events: 3 });
      const batches = [others.slice(0, 2).sort(), others.slice(2)];
      assert.deepEqual(asked, [batches[0], batches[0], batches[0], batches[1]]);
      const reads = database.kernel(database.reader);
      const left = await Promise.all(events.map(({ id }) => reads.findEvent(id)));
      assert.deepEqual(left.slice(0, 2), events.slice(0, 2));
      assert.deepEqual(left.slice(2), [null, null, null]);
    },

  'old idempotency records are removed in batches': async ({ database }) => {
    const store = (scope: string, ms: number) =>
      inTransaction(database, (tx) =>
        tx.storeIdempotencyRecord({
          scope,
          fingerprint: 'f',
          sealedReply: 'r',
          organizationId: null,
          createdAt: at(ms),
        }),
      );
    for (const [scope, ms] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      await store(scope, ms);
    const remove = (ms: number, limit: number) =>
      inTransaction(database, (tx) => tx.deleteIdempotencyRecords(at(ms), limit));
    assert.deepEqual([await remove(3, 1), await remove(3, 9), await remove(3, 9)], [1, 1, 0]);
    const reads = database.kernel(database.reader);
    assert.equal(await reads.findIdempotencyRecord('b', at(-1)), null);
    assert.equal((await reads.findIdempotencyRecord('c', at(-1)))?.scope, 'c');
  },

  'a recurring job is stored once and then left unchanged': async ({ database }) => {
    const job = newJob({ dueAt: at(5) });
    for (const dueAt of [job.dueAt, at(9)]) {
      await inTransaction(database, (tx) => tx.ensureJob({ ...job, dueAt }));
    }
    assert.equal(await countJobs(database), 1);
    const reads = database.kernel(database.reader);
    assert.deepEqual(await reads.nextDueAt('test'), at(5));
  },

  'jobs of one queue that are due later than a time are brought forward': async ({ database }) => {
    await enqueue(
      database,
      newJob({ id: 'job_near', dueAt: at(10) }),
      newJob({ id: 'job_far', dueAt: at(11) }),
      newJob({ id: 'job_other', queue: 'other', dueAt: at(11) }),
    );
    const changed = inTransaction(database, (tx) => tx.bringForwardJobs('test', at(10), at(2)));
    assert.equal(await changed, 1);
    const { items } = await database.kernel(database.reader).listJobs({ limit: 9, offset: 0 });
    assert.deepEqual(
      items.map(({ id, dueAt }) => [id, dueAt]),
      [
        ['job_far', at(2)],
        ['job_near', at(10)],
        ['job_other', at(11)],
      ],
    );
  },

  'a trimmed audit log is intact from its checkpoint on, and can be appended to': async (
    opened,
  ) => {
    const { database } = opened;
    const [one, two] = [await createTenant(opened), await createTenant(opened)];
    await recordAt(database, one, 1, 2, 3, 10, 4);
    await recordAt(database, two, 1, 2);
    const trim = createAuditTrimmer({ database, logger: silentLogger });
    assert.deepEqual([await trim(at(5), 2), await trim(at(5), 9), await trim(at(5), 9)], [2, 3, 0]);
    const whole = (organizationId: string, entries: number) => ({
      organizationId,
      entries,
      fault: null,
      keyedFrom: null,
    });
    assert.deepEqual(await verified(database, one), whole(one, 2));
    assert.deepEqual(await verified(database, two), whole(two, 0));
    await recordAt(database, two, 11);
    assert.deepEqual(await verified(database, two), whole(two, 1));
    const reads = database.kernel(database.reader);
    assert.equal((await reads.findAuditCheckpoint(one))?.sequence, 3);
    const { total } = await reads.listAuditEntries(one, {}, { limit: 9, offset: 0 });
    assert.equal(total, 2);
  },

  'audit logs are listed by organization with their oldest entry, and a run of retention looks at each once':
    async (opened) => {
      const { database } = opened;
      const logs: Array<{ organizationId: string; oldestAt: Date }> = [];
      for (const ms of [1, 2, 9, 3]) {
        const organizationId = await createTenant(opened);
        await recordAt(database, organizationId, ms, 9);
        logs.push({ organizationId, oldestAt: at(ms) });
      }
      logs.sort((left, right) => (left.organizationId < right.organizationId ? -1 : 1));
      const reads = database.kernel(database.reader);
      const second = logs[1]?.organizationId as string;
      assert.deepEqual(await reads.listAudits('', 2), logs.slice(0, 2));
      assert.deepEqual(await reads.listAudits(second, 9), logs.slice(2));
      let looked = 0;
      const counting: Database = {
        ...database,
        kernel: (session) => {
          const operations = database.kernel(session);
          const listAudits: typeof operations.listAudits = async (after, limit) => {
            const page = await operations.listAudits(after, limit);
            looked += page.length;
            return page;
          };
          return Object.assign(Object.create(operations), { listAudits });
        },
      };
      const trim = createAuditTrimmer({ database: counting, logger: silentLogger });
      const removed = [await trim(at(5), 2), await trim(at(5), 2), await trim(at(5), 2)];
      assert.deepEqual(removed, [2, 1, 0]);
      // The log at which the first batch ended is looked at again.
      const seen = logs.slice(logs.findIndex((_, index) => countOld(logs, index) === 2));
      assert.equal(looked, logs.length + seen.length);
      assert.equal(await trim(at(6), 9), 0);
      assert.equal(looked, 2 * logs.length + seen.length, 'the next run looks at all');
      assert.deepEqual((await reads.listAudits('', 1))[0]?.oldestAt, at(9));
    },

  'trimming an audit log during appends and verification leaves it intact': async (opened) => {
    const organizationId = await createTenant(opened);
    const times = Array.from({ length: 60 }, (_, index) => index);
    await recordAt(opened.database, organizationId, ...times);
    const work = connectionsOf(opened).flatMap((database) => {
      const trim = createAuditTrimmer({ database, logger: silentLogger });
      return [10, 25, 40].map(async (ms) => {
        await recordAt(database, organizationId, 100 + ms);
        const removed = await trim(at(ms), 7);
        const { fault } = await verifyAuditChain(database, organizationId);
        assert.equal(fault, null);
        return removed;
      });
    });
    const removed = await Promise.all(work);
    const { entries, fault } = await verifyAuditChain(opened.database, organizationId);
    assert.equal(fault, null);
    assert.equal(entries, 60 + removed.length - removed.reduce((sum, each) => sum + each, 0));
  },
};

async function verified(database: Database, organizationId: string) {
  const { end: _, ...verification } = await verifyAuditChain(database, organizationId);
  return verification;
}

/** How many logs up to this place have an old entry. */
function countOld(logs: ReadonlyArray<{ readonly oldestAt: Date }>, index: number): number {
  return logs.slice(0, index + 1).filter(({ oldestAt }) => oldestAt < at(5)).length;
}

function inTransaction<T>(
  database: Database,
  work: (tx: KernelOperations) => Promise<T>,
): Promise<T> {
  return database.transaction((session) => work(database.kernel(session)));
}

async function createTenant(opened: ContractDatabase): Promise<string> {
  return (await createTestTenant(opened)).organizationId;
}

/** Records entries of an organization at the given times in milliseconds. */
async function recordAt(database: Database, organizationId: string, ...times: number[]) {
  const entries = times.map((ms) => newAuditEntry(organizationId, { createdAt: at(ms) }));
  await recordAudit(database, ...entries);
}

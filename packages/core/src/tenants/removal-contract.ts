import assert from 'node:assert/strict';
import { systemClock } from '../clock.ts';
import { OUTBOX_QUEUE } from '../events/outbox.ts';
import { createIds } from '../ids.ts';
import { silentLogger } from '../logging/logger.ts';
import type {
  Database,
  DatabaseSession,
  KernelOperations,
  TransactionOptions,
} from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, countJobs, enqueue, newAuditEntry, newEvent, newJob } from '../testing/records.ts';
import { finishRemovals } from '../testing/removals.ts';
import { createTenantRemovalWorker, TENANT_REMOVAL_QUEUE } from './removal.ts';
import { createTenants } from './tenants.ts';

/** Contract checks of the removal of tenants with much data. */
export const removalPromises: ContractPromises = {
  'a removed tenant does not exist from the commit on, and its events are not found': async ({
    database,
  }) => {
    const tenants = createTenants(database);
    const [event] = await fill(database, 'acme', 3);
    await tenants.ensure('other');
    assert.ok(event);
    await tenants.remove('acme');
    const reads = database.kernel(database.reader);
    assert.equal(await reads.hasTenant('acme'), false);
    assert.deepEqual(await reads.listTenants('', 9), ['other']);
    assert.equal(await reads.findEvent(event.id), null);
    const isLocked = database.transaction((session) => database.lockTenant(session, 'acme'));
    assert.equal(await isLocked, false);
    assert.equal(await reads.hasTenant('other'), true);
  },

  'a tenant is not stored again before its data is deleted': async ({ database }) => {
    const tenants = createTenants(database);
    const [event] = await fill(database, 'acme', 3);
    assert.ok(event);
    await tenants.remove('acme');
    await assert.rejects(tenants.ensure('acme'), {
      kind: 'unavailable',
      message:
        'The data of the organization acme is being deleted; it can be stored again afterwards.',
    });
    await finishRemovals(database);
    await tenants.ensure('acme');
    const reads = database.kernel(database.reader);
    assert.equal(await reads.findEvent(event.id), null);
    assert.equal((await reads.listAuditEntries('acme', {}, { limit: 1, offset: 0 })).total, 0);
  },

  'the data of a removed tenant is deleted in batches, and nothing of others': async ({
    database,
  }) => {
    const tenants = createTenants(database);
    await fill(database, 'acme', 1_100);
    const [kept] = await fill(database, 'other', 1);
    assert.ok(kept);
    await tenants.remove('acme');
    const deleted: number[] = [];
    const counting = countingDeletions(database, deleted);
    await finishRemovals(counting);
    assert.ok(Math.max(...deleted) < 1_100);
    // Events, audit entries and the jobs of events, and the head of the audit log.
    assert.equal(
      deleted.reduce((sum, each) => sum + each, 0),
      3 * 1_100 + 1,
    );
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 1);
    assert.equal(await countJobs(database, TENANT_REMOVAL_QUEUE), 0);
    const reads = database.kernel(database.reader);
    assert.deepEqual(await reads.findEvent(kept.id), kept);
    assert.equal((await reads.listAuditEntries('other', {}, { limit: 1, offset: 0 })).total, 1);
  },

  'the batches of a removal wait for no sync to disk': async ({ database }) => {
    await fill(database, 'acme', 3);
    await createTenants(database).remove('acme');
    const durabilityOf = new WeakMap<DatabaseSession, TransactionOptions['durability']>();
    const found = new Set<TransactionOptions['durability']>();
    const noting: Database = {
      ...database,
      transaction: (work, options) =>
        database.transaction((session) => {
          durabilityOf.set(session, options?.durability);
          return work(session);
        }, options),
    };
    const watched = withKernel(noting, (tx) => ({
      deleteTenantRows(...given) {
        found.add(durabilityOf.get(tx.session));
        return tx.deleteTenantRows(...given);
      },
    }));
    await finishRemovals(watched);
    assert.deepEqual([...found], ['deferred']);
  },

  'the batches of a removal grow although each waits long for its transaction': async ({
    database,
  }) => {
    await fill(database, 'acme', 700);
    await createTenants(database).remove('acme');
    let waitedMs = 0;
    const clock = { ...systemClock, monotonicMs: () => waitedMs };
    const deleted: number[] = [];
    const counting = countingDeletions(database, deleted);
    await finishRemovals(
      {
        ...counting,
        transaction(work, options) {
          waitedMs += 100;
          return counting.transaction(work, options);
        },
      },
      clock,
    );
    assert.ok(Math.max(...deleted) > 200, `${deleted}`);
  },

  'a removal that was interrupted is continued, and ended once when two workers run it': async (
    opened,
  ) => {
    const { database } = opened;
    await fill(database, 'acme', 600);
    await createTenants(database).remove('acme');
    const broken = failingAfter(database, 2);
    await finishRemovals(broken);
    assert.equal(await countJobs(database, TENANT_REMOVAL_QUEUE), 1);
    const reads = database.kernel(database.reader);
    const { items } = await reads.listJobs({ limit: 1, offset: 0 }, TENANT_REMOVAL_QUEUE);
    const [job] = items;
    assert.ok(job);
    // Twice, as after a lost lease.
    await enqueue(database, { ...newJob(job), id: 'job_again', dueAt: at(0) });
    const later = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 60_000) };
    const run = (connection: Database) =>
      createTenantRemovalWorker({
        database: connection,
        clock: later,
        logger: silentLogger,
        ids: createIds(),
      }).runOnce();
    await Promise.all(connectionsOf(opened).map(run));
    assert.equal(await countJobs(database, TENANT_REMOVAL_QUEUE), 0);
    await createTenants(database).ensure('acme');
  },

  'a removal that runs again after its tenant was stored anew deletes nothing': async ({
    database,
  }) => {
    const tenants = createTenants(database);
    await tenants.ensure('acme');
    await tenants.remove('acme');
    await finishRemovals(database);
    const [event] = await fill(database, 'acme', 1);
    assert.ok(event);
    const payload = { tenantId: 'acme' };
    await enqueue(database, newJob({ queue: TENANT_REMOVAL_QUEUE, tenantId: null, payload }));
    await finishRemovals(database);
    assert.deepEqual(await database.kernel(database.reader).findEvent(event.id), event);
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 1);
  },

  'rows that a transaction stores while its tenant is removed are deleted too': async (opened) => {
    const { database } = opened;
    const connections = connectionsOf(opened);
    await createTenants(database).ensure('acme');
    const event = newEvent('acme');
    const storing = (connections[1] ?? database).transaction(async (session) => {
      await (connections[1] ?? database).kernel(session).outbox.append(event);
    });
    await Promise.all([storing, createTenants(database).remove('acme')]);
    await finishRemovals(database);
    await createTenants(database).ensure('acme');
    assert.equal(await database.kernel(database.reader).findEvent(event.id), null);
  },
};

/** Stores a tenant with so many events, jobs and audit entries; returns the events. */
async function fill(database: Database, id: string, count: number) {
  await createTenants(database).ensure(id);
  const events = Array.from({ length: count }, () => newEvent(id));
  await database.transaction(async (session) => {
    const tx = database.kernel(session);
    for (const event of events) {
      await tx.outbox.append(event);
      await tx.recordAudit(newAuditEntry(id));
    }
  });
  return events;
}

/** The database, with the number of rows of each deletion added to a list. */
function countingDeletions(database: Database, deleted: number[]): Database {
  return withKernel(database, (tx) => ({
    async deleteTenantJobs(...given) {
      const count = await tx.deleteTenantJobs(...given);
      deleted.push(count);
      return count;
    },
    async deleteTenantRows(...given) {
      const count = await tx.deleteTenantRows(...given);
      deleted.push(count);
      return count;
    },
  }));
}

/** The database, in which deletions after the first ones fail. */
function failingAfter(database: Database, deletions: number): Database {
  let left = deletions;
  return withKernel(database, (tx) => ({
    async deleteTenantRows(...given) {
      left -= 1;
      if (left < 0) throw new Error('no space left');
      return tx.deleteTenantRows(...given);
    },
  }));
}

function withKernel(
  database: Database,
  change: (tx: KernelOperations) => Partial<KernelOperations>,
): Database {
  const kernel: Database['kernel'] = (session) => {
    const tx = database.kernel(session);
    return Object.assign(Object.create(tx), change(tx));
  };
  return { ...database, kernel };
}

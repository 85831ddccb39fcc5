import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { verifyAuditRegister } from '../audit/audit-log.ts';
import { createAuditSealer } from '../audit/seal.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import type { EventRecord } from '../events/events.ts';
import { OUTBOX_QUEUE } from '../events/outbox.ts';
import type { EventFilter } from '../events/storage.ts';
import type { Database } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
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
  START,
} from '../testing/records.ts';
import { finishRemovals } from '../testing/removals.ts';
import { createTenants } from './tenants.ts';

/** Contract checks of tenants, their lock, and the outbox of their events, by test title. */
export const tenantPromises: ContractPromises = {
  'a tenant is stored once, however often and on whichever connection it is ensured': async (
    opened,
  ) => {
    const connections = connectionsOf(opened);
    const ensured = Array.from({ length: 20 }, (_, index) =>
      createTenants(connections[index % connections.length] as Database).ensure('acme'),
    );
    await Promise.all(ensured);
    const { database } = opened;
    assert.equal(await database.kernel(database.reader).hasTenant('acme'), true);
    assert.equal(await database.kernel(database.reader).hasTenant('other'), false);
  },

  'a tenant id that is empty, too long or not visible is rejected and not stored': async ({
    database,
  }) => {
    const tenants = createTenants(database);
    for (const id of ['', 'a b', 'a\u0000', '\ud800', 'x'.repeat(201)]) {
      await assert.rejects(tenants.ensure(id), { kind: 'validation_failed' });
    }
    await tenants.ensure('x'.repeat(200));
  },

  'removing a tenant removes its events and audit log; it can be stored again': async ({
    database,
  }) => {
    const tenants = createTenants(database);
    await tenants.ensure('acme');
    await tenants.ensure('other');
    const [event, kept] = [newEvent('acme'), newEvent('other')];
    await database.transaction(async (session) => {
      const tx = database.kernel(session);
      await tx.outbox.append(event);
      await tx.outbox.append(kept);
      await tx.recordAudit(newAuditEntry('acme'));
    });
    await enqueue(database, newJob());
    const owned = [1, 2].map(() => newJob({ queue: 'owned', tenantId: 'acme' }));
    await enqueue(database, ...owned, newJob({ queue: 'other', tenantId: 'acme' }));
    await claim(database, 'w', { queue: 'owned', limit: 1 });
    await database.transaction(async (session) => {
      const failure = { error: 'jane@example.com', failedAt: START, attempts: 1 };
      const ended = owned.map(({ id }) => database.kernel(session).failJob(id, 'w', failure));
      assert.equal((await Promise.all(ended)).filter(Boolean).length, 1);
    });
    const reads = database.kernel(database.reader);
    assert.equal(await tenants.remove('acme'), true);
    assert.equal(await tenants.remove('acme'), false);
    await finishRemovals(database);
    assert.equal(await reads.findEvent(event.id), null);
    assert.equal(await reads.findAuditHead('acme'), null);
    assert.deepEqual(await reads.findEvent(kept.id), kept);
    const left = [
      await countJobs(database),
      await countJobs(database, 'owned'),
      await countJobs(database, 'other'),
      await reads.countFailedJobs(),
    ];
    assert.deepEqual(left, [1, 0, 0, 0]);
    await tenants.ensure('acme');
    assert.equal(await reads.hasTenant('acme'), true);
  },

  'the register of audit logs knows each keyed log, also after its organization was removed':
    async (opened) => {
      const { database } = opened;
      const ids = [await createTestTenant(opened), await createTestTenant(opened)]
        .map(({ organizationId }) => organizationId)
        .sort();
      const box = createSecretBox([new Uint8Array(32).fill(7)]);
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        for (const id of ids) await tx.recordAudit(newAuditEntry(id), createAuditSealer(box));
      });
      const reads = database.kernel(database.reader);
      assert.deepEqual(await reads.listTenants('', 1), ids.slice(0, 1));
      assert.deepEqual(await reads.listTenants(ids[0] as string, 9), ids.slice(1));
      const verify = async () => (await verifyAuditRegister(database, box)).faults;
      const tenants = createTenants(database);
      assert.deepEqual(await verify(), []);
      await tenants.remove(ids[1] as string);
      assert.deepEqual(await verify(), []);
      await finishRemovals(database);
      assert.deepEqual(await verify(), []);
      await tenants.ensure(ids[1] as string);
      assert.deepEqual(await verify(), [`an earlier log of ${ids[1]} was removed`]);
    },

  'removing a tenant keeps what belongs to others, whatever its id': async ({ database }) => {
    const tenants = createTenants(database);
    await tenants.ensure('acme');
    const [event, entry] = [newEvent('acme'), newAuditEntry('acme')];
    await database.transaction(async (session) => {
      await database.kernel(session).outbox.append(event);
      await database.kernel(session).recordAudit(entry);
    });
    const reads = database.kernel(database.reader);
    for (const id of [event.id, entry.id]) {
      await tenants.ensure(id);
      await tenants.remove(id);
    }
    await finishRemovals(database);
    assert.deepEqual(await reads.findEvent(event.id), event);
    assert.equal((await reads.readAuditChain('acme', 0, 10)).length, 1);
  },

  'a tenant removed while it is ensured is stored by the next call': async ({ database }) => {
    await createTenants(database).ensure('acme');
    const tenants = createTenants(database);
    await Promise.allSettled([tenants.ensure('acme'), tenants.remove('acme')]);
    await finishRemovals(database);
    await tenants.ensure('acme');
    assert.equal(await database.kernel(database.reader).hasTenant('acme'), true);
  },

  'locking a tenant reports whether it exists': async (opened) => {
    const { organizationId: id } = await createTestTenant(opened);
    const lock = (tenantId: string) =>
      opened.database.transaction((session) => opened.database.lockTenant(session, tenantId));
    assert.equal(await lock(id), true);
    assert.equal(await lock('org_none'), false);
  },

  'a quota checked under the tenant lock is not exceeded by parallel transactions': async (
    opened,
  ) => {
    const { organizationId: id } = await createTestTenant(opened);
    const connections = connectionsOf(opened);
    const attempts = Array.from({ length: 20 }, (_, index) =>
      takePlace(connections[index % connections.length] as Database, id, 5),
    );
    const taken = (await Promise.all(attempts)).filter(Boolean);
    assert.equal(taken.length, 5);
    assert.equal(await countJobs(opened.database), 5);
  },

  'an appended event commits with its transaction and exactly one job': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    const event = newEvent(id);
    await database.transaction((session) => database.kernel(session).outbox.append(event));
    assert.deepEqual(await database.kernel(database.reader).findEvent(event.id), event);
    const jobs = await claim(database, 'worker', { queue: OUTBOX_QUEUE });
    assert.equal(jobs.length, 1);
    assert.equal(jobs[0]?.group, id);
    assert.deepEqual(jobs[0]?.payload, { eventId: event.id });
  },

  'an event id that resembles the id of a stored job leaves that job as it is': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    await enqueue(database, newJob({ id: 'job_retention' }));
    await append(database, newEvent(id, { id: 'evt_retention' }));
    assert.deepEqual([await countJobs(database), await countJobs(database, OUTBOX_QUEUE)], [1, 1]);
  },

  'an event id can be used again after its tenant was removed with the event': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    const tenants = createTenants(database);
    const event = newEvent(id);
    await append(database, event);
    await tenants.remove(id);
    await finishRemovals(database);
    await tenants.ensure(id);
    await append(database, event);
    assert.deepEqual(await database.kernel(database.reader).findEvent(event.id), event);
  },

  'of concurrent events with one id, appended once, all callers get the stored one': async (
    opened,
  ) => {
    const { database } = opened;
    const connections = connectionsOf(opened);
    const owners = [await createTestTenant(opened), await createTestTenant(opened)];
    const appended = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const connection = connections[index % connections.length] as Database;
        const { organizationId } = owners[index % 2] as (typeof owners)[number];
        const event = newEvent(organizationId, { id: 'evt_one' });
        return connection.transaction((session) =>
          connection.kernel(session).outbox.appendOnce(event),
        );
      }),
    );
    const stored = await database.kernel(database.reader).findEvent('evt_one');
    for (const event of appended) assert.deepEqual(event, stored);
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 1);
  },

  'an event of a transaction that rolled back does not exist, nor does its job': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    const event = newEvent(id);
    const failing = database.transaction(async (session) => {
      await database.kernel(session).outbox.append(event);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.equal(await database.kernel(database.reader).findEvent(event.id), null);
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
  },

  'a test event is read back as one, and is handed to no subscriber': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    const [test, event] = [newEvent(id, { isTest: true }), newEvent(id)];
    await database.transaction(async (session) => {
      for (const each of [test, event]) await database.kernel(session).insertEvent(each);
    });
    const reader = database.kernel(database.reader);
    assert.deepEqual(await reader.findEvent(test.id), test);
    assert.deepEqual(await reader.findEvent(event.id), event);
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
  },

  'the events of an organization are listed by time and id, in parts': async (opened) => {
    const { database } = opened;
    const { organizationId: own } = await createTestTenant(opened);
    const { organizationId: other } = await createTestTenant(opened);
    const create = async (ms: number, organizationId = own, facts: { isTest?: true } = {}) => {
      const event = newEvent(organizationId, { createdAt: at(ms), ...facts });
      await database.transaction((session) => database.kernel(session).insertEvent(event));
      const { id, type, createdAt } = event;
      return { id, type, createdAt, isTest: event.isTest ?? false };
    };
    await create(9);
    await create(11, other);
    const tied = [await create(11), await create(11)].sort((a, b) => (a.id < b.id ? -1 : 1));
    const expected = [await create(10), ...tied, await create(12, own, { isTest: true })];
    await create(13);
    const range = { organizationId: own, since: at(10), until: at(13) };
    const reader = database.kernel(database.reader);
    assert.deepEqual(await reader.listEventsOf(range, null, 9), expected);
    assert.deepEqual(await reader.listEventsOf(range, null, 2), expected.slice(0, 2));
    const [, second, , last] = expected;
    assert.deepEqual(await reader.listEventsOf(range, second ?? null, 9), expected.slice(2));
    assert.deepEqual(await reader.listEventsOf(range, last ?? null, 9), []);
  },

  'the events of an organization are listed in pages, newest first, by time': async (opened) => {
    const { database } = opened;
    const { organizationId: own } = await createTestTenant(opened);
    const { organizationId: other } = await createTestTenant(opened);
    const create = async (ms: number, facts: Partial<EventRecord> = {}) => {
      const event: EventRecord = { ...newEvent(own, { createdAt: at(ms) }), ...facts };
      await database.transaction((session) => database.kernel(session).insertEvent(event));
      const { id, type, createdAt } = event;
      return { id, type, createdAt, isTest: event.isTest ?? false };
    };
    await create(11, { organizationId: other });
    const first = await create(10);
    const tied = [await create(11), await create(11)].sort((a, b) => (a.id < b.id ? 1 : -1));
    const last = await create(12, { isTest: true });
    const list = (filter: EventFilter, limit = 9, offset = 0) =>
      database.kernel(database.reader).listEvents(own, filter, { limit, offset });
    assert.deepEqual(await list({}), { items: [last, ...tied, first], total: 4 });
    assert.deepEqual(await list({}, 2, 1), { items: tied, total: 4 });
    assert.deepEqual(await list({ since: at(11), until: at(12) }), { items: tied, total: 2 });
  },

  'an event is read with its request id, and an unknown event as null': async (opened) => {
    const { database } = opened;
    const { organizationId: id } = await createTestTenant(opened);
    const event = newEvent(id, { requestId: 'req_12345678' });
    await database.transaction((session) => database.kernel(session).outbox.append(event));
    const reader = database.kernel(database.reader);
    assert.equal((await reader.findEvent(event.id))?.requestId, 'req_12345678');
    assert.equal(await reader.findEvent('evt_none'), null);
  },
};

/** Reads, decides and writes under the lock, with pauses in which others could interfere. */
function takePlace(database: Database, organizationId: string, places: number): Promise<boolean> {
  return database.transaction(async (session) => {
    await database.lockTenant(session, organizationId);
    const kernel = database.kernel(session);
    const isFree = (await kernel.countJobs('test')) < places;
    await nextTurn();
    if (isFree) await kernel.enqueueJobs([newJob()]);
    return isFree;
  });
}

function append(database: Database, event: EventRecord): Promise<void> {
  return database.transaction((session) => database.kernel(session).outbox.append(event));
}

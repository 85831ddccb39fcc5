import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OUTBOX_QUEUE } from '../outbox.ts';
import type { Organization } from '../platform/types.ts';
import type { Database } from '../storage.ts';
import type { ContractDatabase, ContractTarget } from './contract-target.ts';
import { connectionsOf, withDatabase } from './contract-target.ts';
import { claim, countJobs, newEvent, newJob, newOrganization } from './records.ts';

/** The lock on organizations, and the outbox of their events. */
export function describeOrganizations(target: ContractTarget): void {
  describe(`${target.name}: locks and outbox`, () => {
    describeLocks(target);
    describeOutbox(target);
  });
}

function describeLocks(target: ContractTarget): void {
  test('a lock says whether the organization exists', () =>
    withDatabase(target, async (opened) => {
      const { id } = await insertOrganization(opened);
      const lock = (organizationId: string) =>
        opened.database.transaction((session) =>
          opened.database.lockOrganization(session, organizationId),
        );
      assert.equal(await lock(id), true);
      assert.equal(await lock('org_none'), false);
      await assert.rejects(
        opened.platform.withOrganizationLock('org_none', async () => undefined),
        { kind: 'not_found' },
      );
    }));

  test('a quota that is checked under the lock holds against parallel transactions', () =>
    withDatabase(target, async (opened) => {
      const { id } = await insertOrganization(opened);
      const connections = connectionsOf(opened);
      const attempts = Array.from({ length: 20 }, (_, index) =>
        takePlace(connections[index % connections.length] as Database, id, 5),
      );
      const taken = (await Promise.all(attempts)).filter(Boolean);
      assert.equal(taken.length, 5);
      assert.equal(await countJobs(opened.database), 5);
    }));
}

/** Reads, decides and writes under the lock, with time in between for others to interfere. */
function takePlace(database: Database, organizationId: string, places: number): Promise<boolean> {
  return database.transaction(async (session) => {
    await database.lockOrganization(session, organizationId);
    const kernel = database.kernel(session);
    const isFree = (await kernel.countJobs('test')) < places;
    await nextTurn();
    if (isFree) await kernel.enqueueJobs([newJob()]);
    return isFree;
  });
}

function describeOutbox(target: ContractTarget): void {
  test('an appended event exists with its transaction, and with exactly one job', () =>
    withDatabase(target, async (opened) => {
      const { database } = opened;
      const { id } = await insertOrganization(opened);
      const event = newEvent(id);
      await database.transaction((session) => database.kernel(session).outbox.append(event));
      assert.deepEqual(await database.kernel(database.reader).findEvent(event.id), event);
      const jobs = await claim(database, 'worker', { queue: OUTBOX_QUEUE });
      assert.equal(jobs.length, 1);
      assert.equal(jobs[0]?.lane, id);
      assert.deepEqual(jobs[0]?.payload, { eventId: event.id });
    }));

  test('an event of a transaction that rolled back does not exist, nor does its job', () =>
    withDatabase(target, async (opened) => {
      const { database } = opened;
      const { id } = await insertOrganization(opened);
      const event = newEvent(id);
      const failing = database.transaction(async (session) => {
        await database.kernel(session).outbox.append(event);
        throw new Error('undone');
      });
      await assert.rejects(failing, /undone/);
      assert.equal(await database.kernel(database.reader).findEvent(event.id), null);
      assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
    }));

  test('an event keeps its request, and one that does not exist is null', () =>
    withDatabase(target, async (opened) => {
      const { database } = opened;
      const { id } = await insertOrganization(opened);
      const event = newEvent(id, { requestId: 'req_12345678' });
      await database.transaction((session) => database.kernel(session).outbox.append(event));
      const reader = database.kernel(database.reader);
      assert.equal((await reader.findEvent(event.id))?.requestId, 'req_12345678');
      assert.equal(await reader.findEvent('evt_none'), null);
    }));
}

async function insertOrganization({ platform }: ContractDatabase): Promise<Organization> {
  const organization = newOrganization();
  await platform.transaction((tx) => tx.insertOrganization(organization));
  return organization;
}

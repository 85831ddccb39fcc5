import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { ContractDatabase, ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, countJobs, newJob } from '../testing/records.ts';
import type { IdempotencyClaim, IdempotencyRecord } from './storage.ts';

const UNDONE = new Error('undone');
const BEFORE = at(-1);
const ROUNDS = 5;

/** Contract checks of idempotency records: which request gets a key, and how long a response is kept. */
export const idempotencyPromises: ContractPromises = {
  'an idempotency key is claimed once, then returns the stored response': async ({ database }) => {
    const record = newRecord();
    assert.equal(await find(database, record.scope), null);
    assert.deepEqual(await serve(database, record), { kind: 'claimed' });
    assert.deepEqual(await find(database, record.scope), record);
    assert.deepEqual(await claim(database, record.scope), { kind: 'answered', record });
  },

  'idempotency keys are independent of each other': async ({ database }) => {
    const [mine, other] = [newRecord(), newRecord({ fingerprint: 'f2' })];
    await serve(database, mine);
    assert.deepEqual(await claim(database, other.scope), { kind: 'claimed' });
    await serve(database, other);
    assert.deepEqual(await find(database, mine.scope), mine);
    assert.deepEqual(await find(database, other.scope), other);
  },

  'a claim that rolls back, or stores no response, releases the idempotency key': async ({
    database,
  }) => {
    const record = newRecord();
    await assert.rejects(serve(database, record, { fails: true }), UNDONE);
    assert.equal(await find(database, record.scope), null);
    assert.deepEqual(await claim(database, record.scope), { kind: 'claimed' });
    assert.deepEqual(await serve(database, record), { kind: 'claimed' });
    assert.equal(await countJobs(database), 1);
  },

  'an idempotency record is found only if made after the given time': async ({ database }) => {
    const record = newRecord();
    await serve(database, record);
    assert.deepEqual(await find(database, record.scope, at(-1)), record);
    assert.equal(await find(database, record.scope, at(0)), null);
    assert.deepEqual(await claim(database, record.scope, at(0)), { kind: 'claimed' });
  },

  'an expired idempotency record is replaced': async ({ database }) => {
    const old = newRecord();
    const fresh = { ...old, fingerprint: 'f2', sealedReply: 'v1.k.2', createdAt: at(10) };
    await serve(database, old);
    assert.deepEqual(await serve(database, fresh, { notBefore: at(5) }), { kind: 'claimed' });
    assert.deepEqual(await find(database, old.scope), fresh);
    assert.equal(await countJobs(database), 2);
  },

  'an idempotency record is deleted with its tenant': async ({ database }) => {
    const [removed, kept] = [`t-${randomBytes(6).toString('hex')}`, 't-kept'];
    const inTransaction = (work: (tx: KernelOperations) => Promise<unknown>) =>
      database.transaction((session) => work(database.kernel(session)));
    for (const id of [removed, kept]) await inTransaction((tx) => tx.ensureTenant(id));
    const records = [removed, kept].map((organizationId) => newRecord({ organizationId }));
    const [gone, stays] = records as [IdempotencyRecord, IdempotencyRecord];
    for (const record of records) await serve(database, record);
    assert.deepEqual(await find(database, gone.scope), gone);
    await inTransaction((tx) => tx.deleteTenant(removed));
    assert.equal(await find(database, gone.scope), null);
    assert.deepEqual(await find(database, stays.scope), stays);
    const late = newRecord({ organizationId: removed });
    await serve(database, late);
    assert.deepEqual(await find(database, late.scope), { ...late, organizationId: null });
  },

  'exactly one of many parallel transactions claims an idempotency key': async (opened) => {
    // Connections are opened one after another, so the first round is hardly a race.
    for (let round = 1; round <= ROUNDS; round += 1) {
      const record = newRecord();
      const claims = await serveTogether(opened, record);
      assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 1);
      assert.equal(await countJobs(opened.database), round);
      const stored = await find(opened.database, record.scope);
      for (const each of claims) {
        if (each.kind === 'answered') assert.deepEqual(each.record, stored);
      }
    }
  },

  'when the first claim rolls back, another transaction gets the idempotency key': async (
    opened,
  ) => {
    const connections = connectionsOf(opened);
    const record = newRecord();
    let served = 0;
    const sends = Array.from({ length: 20 }, async (_, index) => {
      const database = connections[index % connections.length] as Database;
      for (let round = 0; ; round += 1) {
        const fails = round === 0 && index < 10;
        const found = await serve(database, record, { fails }).catch(() => null);
        if (found?.kind === 'claimed') served += 1;
        if (found?.kind === 'claimed' || found?.kind === 'answered') return;
      }
    });
    await Promise.all(sends);
    assert.deepEqual([served, await countJobs(opened.database)], [1, 1]);
  },
};

function newRecord(given: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  const scope = randomBytes(32).toString('hex');
  const record = { scope, fingerprint: 'f1', sealedReply: 'v1.k.grün ✓', createdAt: at(0) };
  return { ...record, organizationId: null, ...given };
}

function find(database: Database, scope: string, notBefore = BEFORE) {
  return database.kernel(database.reader).findIdempotencyRecord(scope, notBefore);
}

function claim(database: Database, scope: string, notBefore = BEFORE): Promise<IdempotencyClaim> {
  return database.transaction((session) =>
    database.kernel(session).claimIdempotencyKey(scope, notBefore),
  );
}

/** The steps of a request: claims, has an effect (a job) and stores its response. */
function serve(
  database: Database,
  record: IdempotencyRecord,
  { notBefore = BEFORE, fails = false } = {},
): Promise<IdempotencyClaim> {
  return database.transaction(async (session) => {
    const tx = database.kernel(session);
    const found = await tx.claimIdempotencyKey(record.scope, notBefore);
    if (found.kind !== 'claimed') return found;
    await tx.enqueueJobs([newJob()]);
    await tx.storeIdempotencyRecord(record);
    if (fails) throw UNDONE;
    return found;
  });
}

/** Sends a request 20 times at once over every connection. */
function serveTogether(
  opened: ContractDatabase,
  record: IdempotencyRecord,
): Promise<IdempotencyClaim[]> {
  const connections = connectionsOf(opened);
  const sends = Array.from({ length: 20 }, (_, index) =>
    serve(connections[index % connections.length] as Database, {
      ...record,
      fingerprint: `f${index}`,
    }),
  );
  return Promise.all(sends);
}

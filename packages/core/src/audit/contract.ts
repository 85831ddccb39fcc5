import assert from 'node:assert/strict';
import { createSecretBox } from '../crypto/secret-box.ts';
import { silentLogger } from '../logging/logger.ts';
import type { Page } from '../paging.ts';
import type { SealedValues } from '../sealing/sealed-values.ts';
import type { Database } from '../storage/database.ts';
import type {
  ContractCheck,
  ContractDatabase,
  ContractPromises,
} from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { createTestTenant } from '../testing/fixtures.ts';
import { at, newAuditEntry, recordAudit } from '../testing/records.ts';
import type { AuditVerification } from './audit-log.ts';
import { verifyAuditChain, verifyAuditRegister } from './audit-log.ts';
import { findAuditFault } from './chain.ts';
import { createAuditTrimmer } from './retention.ts';
import type { AuditSealer } from './seal.ts';
import { createAuditSealer } from './seal.ts';
import { sealedAuditValues } from './sealed-keys.ts';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './types.ts';

const UNDONE = new Error('undone');
const PAGE: Page = { limit: 100, offset: 0 };

/** Contract checks of the audit log: chains without gaps, lists, and the inputs of verification. */
export const auditPromises: ContractPromises = {
  'an audit entry is read as it was recorded, with its position in the chain': withOrganization(
    async ({ database }, organizationId) => {
      const full = newAuditEntry(organizationId, {
        actor: { type: 'member', id: 'mem_1', credentialId: 'key_1' },
        before: { name: 'grün ✓ "x"', tags: ['a', null], nested: { b: 1, a: 0.5 } },
        address: '2001:db8::1',
        requestId: 'req_1',
      });
      const sparse = newAuditEntry(organizationId, { before: null, after: null });
      await recordAudit(database, full, sparse);
      const [first, second, ...others] = await chainOf(database, organizationId);
      assert.ok(first && second && others.length === 0);
      assert.match(first.hash, /^[0-9a-f]{64}$/);
      assert.deepEqual(first, { ...full, sequence: 1, previousHash: '', hash: first.hash });
      const place = { sequence: 2, previousHash: first.hash, hash: second.hash };
      assert.deepEqual(second, { ...sparse, ...place });
      await assertWhole(database, organizationId, 2);
    },
  ),

  'every organization has a separate audit chain': withOrganization(async (opened, first) => {
    const { database } = opened;
    const second = (await createTestTenant(opened)).organizationId;
    for (const id of [first, second, first]) await recordAudit(database, newAuditEntry(id));
    assert.deepEqual(sequencesOf(await chainOf(database, first)), [1, 2]);
    assert.deepEqual(sequencesOf(await chainOf(database, second)), [1]);
    const inOne = [first, second, second, first, first].map((id) => newAuditEntry(id));
    await recordAudit(database, ...inOne);
    await assertWhole(database, first, 5);
    await assertWhole(database, second, 3);
  }),

  'a rolled-back transaction leaves no gap in the audit chain': withOrganization(
    async ({ database }, organizationId) => {
      await recordAudit(database, newAuditEntry(organizationId));
      await assert.rejects(recordAndFail(database, newAuditEntry(organizationId)), UNDONE);
      await recordAudit(database, newAuditEntry(organizationId));
      assert.deepEqual(sequencesOf(await chainOf(database, organizationId)), [1, 2]);
      await assertWhole(database, organizationId, 2);
    },
  ),

  'changing any field of an audit entry breaks the chain at that entry': withOrganization(
    async ({ database }, organizationId) => {
      await recordAudit(database, ...[1, 2, 3].map(() => newAuditEntry(organizationId)));
      const chain = await chainOf(database, organizationId);
      const other = newAuditEntry('org_other', {
        action: 'thing.forged',
        actor: { type: 'member', id: 'mem_forged', credentialId: 'key_forged' },
        target: { type: 'forged', id: 'forged' },
        before: { forged: true },
        after: { forged: true },
        address: '192.0.2.66',
        requestId: 'req_forged',
        createdAt: at(-1),
      });
      for (const [name, value] of Object.entries(other)) {
        const forged = chain.map((entry, index) =>
          index === 1 ? { ...entry, [name]: value } : entry,
        );
        assert.deepEqual(findAuditFault(forged, null), { sequence: 2, reason: 'changed' }, name);
      }
    },
  ),

  'parallel audit appends over every connection make one chain without gaps': withOrganization(
    async (opened, organizationId) => {
      const connections = connectionsOf(opened);
      const work = Array.from({ length: 60 }, (_, index) => {
        const database = connections[index % connections.length] as Database;
        const entry = newAuditEntry(organizationId);
        return index % 5 === 4 ? recordAndFail(database, entry) : recordAudit(database, entry);
      });
      const results = await Promise.allSettled(work);
      const failed = results.filter((result) => result.status === 'rejected');
      assert.deepEqual(
        failed.map(({ reason }) => reason),
        failed.map(() => UNDONE),
      );
      assert.equal(failed.length, 12);
      const chain = await chainOf(opened.database, organizationId);
      assert.deepEqual(
        sequencesOf(chain),
        Array.from({ length: 48 }, (_, index) => index + 1),
      );
      await assertWhole(opened.database, organizationId, 48);
    },
  ),

  'audit appends and locks of one organization never force each other to retry': withOrganization(
    async (opened, organizationId) => {
      await recordAudit(opened.database, newAuditEntry(organizationId));
      const connections = connectionsOf(opened);
      let attempts = 0;
      const work = Array.from({ length: 60 }, (_, index) => {
        const database = connections[index % connections.length] as Database;
        return database.transaction(async (session) => {
          attempts += 1;
          if (index % 3 === 0) await database.lockTenant(session, organizationId);
          await database.kernel(session).recordAudit(newAuditEntry(organizationId));
        });
      });
      await Promise.all(work);
      assert.equal(attempts, 60);
      await assertWhole(opened.database, organizationId, 61);
    },
  ),

  'the audit log is listed newest first, in pages, with the total count': withOrganization(
    async (opened, organizationId) => {
      const { database } = opened;
      const other = (await createTestTenant(opened)).organizationId;
      await recordAudit(database, newAuditEntry(other));
      await recordAudit(database, ...[1, 2, 3].map(() => newAuditEntry(organizationId)));
      const reads = database.kernel(database.reader);
      const page = await reads.listAuditEntries(organizationId, {}, { limit: 2, offset: 1 });
      assert.deepEqual([sequencesOf(page.items), page.total], [[2, 1], 3]);
      const behind = await reads.listAuditEntries(organizationId, {}, { limit: 2, offset: 3 });
      assert.deepEqual(behind, { items: [], total: 3 });
    },
  ),

  'audit entries are listed by their time, and those of one moment by their sequence':
    withOrganization(async ({ database }, organizationId) => {
      for (const ms of [5, 9, 5, 7]) {
        await recordAudit(database, newAuditEntry(organizationId, { createdAt: at(ms) }));
      }
      const reads = database.kernel(database.reader);
      const { items } = await reads.listAuditEntries(organizationId, {}, PAGE);
      assert.deepEqual(sequencesOf(items), [2, 4, 3, 1]);
      const filter = { since: at(5), until: at(9) };
      const early = await reads.listAuditEntries(organizationId, filter, PAGE);
      assert.deepEqual(sequencesOf(early.items), [4, 3, 1]);
    }),

  'every audit log filter narrows the list, and filters can be combined': withOrganization(
    async ({ database }, organizationId) => {
      const facts: Array<[string, string, number]> = [
        ['mem_1', 'thing.created', 0],
        ['mem_2', 'thing.created', 10],
        ['mem_1', 'thing.removed', 20],
        ['mem_1', 'thing.created', 30],
      ];
      for (const [id, action, ms] of facts) {
        const actor = { type: 'member', id, credentialId: null } as const;
        const entry = newAuditEntry(organizationId, { actor, action, createdAt: at(ms) });
        await recordAudit(database, entry);
      }
      const cases: Array<[AuditFilter, number[]]> = [
        [{}, [4, 3, 2, 1]],
        [{ actor: 'mem_1' }, [4, 3, 1]],
        [{ actor: 'mem_' }, []],
        [{ action: 'thing.created' }, [4, 2, 1]],
        [{ since: at(10) }, [4, 3, 2]],
        [{ until: at(20) }, [2, 1]],
        [{ since: at(10), until: at(30) }, [3, 2]],
        [{ actor: 'mem_1', action: 'thing.created', since: at(1), until: at(31) }, [4]],
      ];
      for (const [filter, expected] of cases) {
        const reads = database.kernel(database.reader);
        const { items, total } = await reads.listAuditEntries(organizationId, filter, PAGE);
        assert.deepEqual([sequencesOf(items), total], [expected, expected.length]);
      }
    },
  ),

  'an audit chain is read in steps, oldest first': withOrganization(
    async ({ database }, organizationId) => {
      await recordAudit(database, ...[1, 2, 3, 4].map(() => newAuditEntry(organizationId)));
      const reads = database.kernel(database.reader);
      const step = async (sequence: number, limit: number) =>
        sequencesOf(await reads.readAuditChain(organizationId, sequence, limit));
      assert.deepEqual(await step(0, 2), [1, 2]);
      assert.deepEqual(await step(2, 2), [3, 4]);
      assert.deepEqual(await step(4, 2), []);
    },
  ),

  'an audit chain of many steps is verified completely': withOrganization(
    async ({ database }, organizationId) => {
      const entries = Array.from({ length: 1_100 }, () => newAuditEntry(organizationId));
      await recordAudit(database, ...entries);
      await assertWhole(database, organizationId, 1_100);
    },
  ),

  'the head of an audit chain is the last entry, also within its transaction': withOrganization(
    async ({ database }, organizationId) => {
      const reads = database.kernel(database.reader);
      assert.equal(await reads.findAuditHead(organizationId), null);
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        await tx.recordAudit(newAuditEntry(organizationId));
        await tx.recordAudit(newAuditEntry(organizationId));
        assert.equal((await tx.findAuditHead(organizationId))?.sequence, 2);
        assert.equal(await reads.findAuditHead(organizationId), null);
      });
      const last = (await chainOf(database, organizationId)).at(-1);
      assert.deepEqual(await reads.findAuditHead(organizationId), {
        sequence: 2,
        hash: last?.hash,
        seal: null,
      });
    },
  ),

  'an audit chain has no checkpoint until entries are removed': withOrganization(
    async ({ database }, organizationId) => {
      await recordAudit(database, newAuditEntry(organizationId));
      const reads = database.kernel(database.reader);
      assert.equal(await reads.findAuditCheckpoint(organizationId), null);
    },
  ),

  'verification reports the missing creation entry of an empty audit chain': withOrganization(
    async ({ database }, organizationId) => {
      const { fault } = await verifyAuditChain(database, organizationId);
      assert.deepEqual(fault, { sequence: 1, reason: 'missing' });
    },
  ),

  'an audit log is keyed from its first entry that was recorded with a key': withOrganization(
    async ({ database }, organizationId) => {
      await recordAudit(database, newAuditEntry(organizationId));
      await recordSealed(database, organizationId);
      await recordSealed(database, organizationId);
      assert.deepEqual(await verifyKeyed(database, organizationId), [null, 2]);
      const other = createSecretBox([new Uint8Array(32).fill(9)]);
      const { fault } = await verifyAuditChain(database, organizationId, other);
      assert.deepEqual(fault, { sequence: 3, reason: 'unsealed' });
    },
  ),

  'an audit entry recorded without a key is reported, and the log is keyed after it':
    withOrganization(async ({ database }, organizationId) => {
      await recordSealed(database, organizationId);
      await recordAudit(database, newAuditEntry(organizationId));
      const unsealed = { sequence: 2, reason: 'unsealed' };
      assert.deepEqual(await verifyKeyed(database, organizationId), [unsealed, null]);
      await recordSealed(database, organizationId);
      const lost = { sequence: 3, reason: 'lost' };
      assert.deepEqual(await verifyKeyed(database, organizationId), [lost, 3]);
      await recordSealed(database, organizationId);
      assert.deepEqual(await verifyKeyed(database, organizationId), [lost, 3]);
    }),

  'a forged end of a keyed audit log is found, also after further entries': withOrganization(
    async ({ database }, organizationId) => {
      await recordSealed(database, organizationId);
      await recordSealed(database, organizationId, {
        ...SEALER,
        sealHead(id, previous, next) {
          const { mac } = SEALER.sealHead(id, previous, { ...next, hash: 'forged' });
          return { ...SEALER.sealHead(id, previous, next), mac };
        },
      });
      const fault = { sequence: 2, reason: 'unsealed' };
      assert.deepEqual(await verifyKeyed(database, organizationId), [fault, null]);
      await recordSealed(database, organizationId);
      const later = { sequence: 3, reason: 'unsealed' };
      assert.deepEqual(await verifyKeyed(database, organizationId), [later, null]);
    },
  ),

  'a keyed audit log stays keyed when retention trims it, and only with the key': withOrganization(
    async ({ database }, organizationId) => {
      for (const ms of [1, 2, 3]) await recordSealed(database, organizationId, SEALER, at(ms));
      const trim = (secretBox?: typeof BOX) =>
        createAuditTrimmer({ database, logger: silentLogger, secretBox })(at(3), 9);
      assert.deepEqual([await trim(), await trim(BOX)], [0, 2]);
      assert.deepEqual(await verifyKeyed(database, organizationId), [null, 1]);
      const [last] = await chainOf(database, organizationId);
      assert.ok(last);
      await database.transaction((session) =>
        database.kernel(session).trimAudit(organizationId, { ...last, mac: null }),
      );
      const fault = { sequence: 3, reason: 'unsealed' };
      assert.deepEqual(await verifyKeyed(database, organizationId), [fault, null]);
    },
  ),

  'the keys of audit logs are resealed, and old entries are verified with the new encryption key':
    withOrganization(async (opened, organizationId) => {
      const { database } = opened;
      const other = (await createTestTenant(opened)).organizationId;
      for (const id of [organizationId, other]) await recordSealed(database, id);
      const next = createSecretBox([new Uint8Array(32).fill(8)]);
      const [keys, records] = sealedAuditValues(database) as [SealedValues, SealedValues];
      const ids = [organizationId, other].sort();
      const found = await keys.list(next.keyId, '', 9);
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(await keys.list(next.keyId, ids[0] as string, 9), found.slice(1));
      assert.deepEqual(await keys.list(BOX.keyId, '', 9), []);
      const replaced = found.map(({ id, sealed }) => {
        const purpose = keys.purposeOf(id);
        return { id, from: sealed, to: next.seal(BOX.open(sealed, purpose), purpose) };
      });
      await keys.replace(replaced);
      await keys.replace(replaced.map((value) => ({ ...value, to: 'v1.00000000.late' })));
      await recordSealed(database, organizationId, createAuditSealer(next));
      const rows = await records.list(next.keyId, '', 9);
      assert.equal(rows.length, 3);
      await records.replace(
        rows.map(({ id, sealed }) => {
          const purpose = records.purposeOf(id);
          return { id, from: sealed, to: next.seal(BOX.open(sealed, purpose), purpose) };
        }),
      );
      assert.deepEqual((await verifyAuditRegister(database, next)).faults, []);
      const { fault, keyedFrom } = await verifyAuditChain(database, organizationId, next);
      assert.deepEqual([fault, keyedFrom], [null, 1]);
    }),
};

const BOX = createSecretBox([new Uint8Array(32).fill(7)]);
const SEALER = createAuditSealer(BOX);

function recordSealed(
  database: Database,
  organizationId: string,
  sealer: AuditSealer = SEALER,
  createdAt = at(0),
): Promise<void> {
  return database.transaction((session) =>
    database.kernel(session).recordAudit(newAuditEntry(organizationId, { createdAt }), sealer),
  );
}

async function verifyKeyed(
  database: Database,
  organizationId: string,
): Promise<[AuditVerification['fault'], AuditVerification['keyedFrom']]> {
  const { fault, keyedFrom } = await verifyAuditChain(database, organizationId, BOX);
  return [fault, keyedFrom];
}

/** A check that is run with a new organization. */
function withOrganization(
  check: (opened: ContractDatabase, organizationId: string) => Promise<void>,
): ContractCheck<ContractDatabase> {
  return async (opened) => check(opened, (await createTestTenant(opened)).organizationId);
}

function chainOf(database: Database, organizationId: string): Promise<AuditEntry[]> {
  return database.kernel(database.reader).readAuditChain(organizationId, 0, 10_000);
}

function sequencesOf(entries: readonly AuditEntry[]): number[] {
  return entries.map(({ sequence }) => sequence);
}

async function assertWhole(database: Database, organizationId: string, entries: number) {
  const whole = { organizationId, entries, fault: null, keyedFrom: null };
  const { end: _, ...verification } = await verifyAuditChain(database, organizationId);
  assert.deepEqual(verification, whole);
}

async function recordAndFail(database: Database, entry: NewAuditEntry): Promise<void> {
  await database.transaction(async (session) => {
    await database.kernel(session).recordAudit(entry);
    throw UNDONE;
  });
}

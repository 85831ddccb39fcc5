import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { verifyAuditChain, verifyAuditRegister } from '../../src/audit/audit-log.ts';
import { chainEntry } from '../../src/audit/chain.ts';
import { createAuditSealer } from '../../src/audit/seal.ts';
import type { ChainFault } from '../../src/crypto/hash-chain.ts';
import { positionAfter } from '../../src/crypto/hash-chain.ts';
import { createSecretBox } from '../../src/crypto/secret-box.ts';
import { createSqlSealingKeys } from '../../src/sealing/sql/keys.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { newAuditEntry, recordAudit } from '../../src/testing/records.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sqlTargets } from '../support.ts';

const ENTRIES = 12;

async function createWorld(t: TestLifetime, target: DatabaseTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  assert.ok(opened.kind === 'sql');
  const { database } = opened;
  const [mine, other] = [await createTestTenant(opened), await createTestTenant(opened)];
  for (const each of [mine, other]) {
    await recordAudit(
      database,
      ...Array.from({ length: ENTRIES }, () =>
        newAuditEntry(each.organizationId, { address: '192.0.2.1' }),
      ),
    );
  }
  return {
    database,
    id: mine.organizationId,
    async verify() {
      const { end: _, ...verification } = await verifyAuditChain(database, mine.organizationId);
      return verification;
    },
    async assertOtherIsWhole() {
      assert.equal((await verifyAuditChain(database, other.organizationId)).fault, null);
    },
    /** Runs a statement that speaks of the organization as `:id`. */
    tamper: (statement: string) =>
      run(database, statement.replaceAll(':id', `'${mine.organizationId}'`)),
  };
}

function run(database: SqlDatabase, statement: string): Promise<unknown> {
  return database.transaction((session) => session.execute(statement, []));
}

const changed = (sequence: number): ChainFault => ({ sequence, reason: 'changed' });
const missing = (sequence: number): ChainFault => ({ sequence, reason: 'missing' });
const added = (sequence: number): ChainFault => ({ sequence, reason: 'added' });
const row = (sequence: number) => `where organization_id = :id and sequence = ${sequence}`;

/** Manipulations of the tables: where each is detected, and after how many entries. */
const TAMPERINGS: ReadonlyArray<readonly [string, string, ChainFault, number]> = [
  [
    'changed a fact',
    `update probity_audit_entries set actor_id = 'mem_x' ${row(5)}`,
    changed(5),
    4,
  ],
  ['changed a time', `update probity_audit_entries set created_at = 1 ${row(12)}`, changed(12), 11],
  [
    'removed an address',
    `update probity_audit_entries set address = null ${row(1)}`,
    changed(1),
    0,
  ],
  [
    'rewrote a value',
    `update probity_audit_entries set after = '{"size":3}' ${row(7)}`,
    changed(7),
    6,
  ],
  [
    'wrote a text that is no JSON',
    `update probity_audit_entries set before = '{' ${row(5)}`,
    changed(5),
    4,
  ],
  [
    'wrote JSON of a depth that overflows the stack',
    `update probity_audit_entries set after = '${'['.repeat(200_000)}${']'.repeat(200_000)}' ${row(5)}`,
    changed(5),
    4,
  ],
  [
    'wrote a time that no date has',
    `update probity_audit_entries set created_at = 8640000000000001 ${row(5)}`,
    changed(5),
    4,
  ],
  ['changed a hash', `update probity_audit_entries set hash = '00' ${row(3)}`, changed(3), 2],
  ['cut a link', `update probity_audit_entries set previous_hash = '' ${row(3)}`, changed(3), 2],
  ['took out the middle', `delete from probity_audit_entries ${row(6)}`, missing(6), 5],
  ['took out the first', `delete from probity_audit_entries ${row(1)}`, missing(1), 0],
  ['took out the last', `delete from probity_audit_entries ${row(12)}`, missing(12), 11],
  [
    'cut off the end',
    'delete from probity_audit_entries where organization_id = :id and sequence > 8',
    missing(9),
    8,
  ],
  [
    'emptied the log',
    'delete from probity_audit_entries where organization_id = :id',
    missing(1),
    0,
  ],
  [
    'removed the head',
    'delete from probity_audit_heads where organization_id = :id',
    missing(13),
    12,
  ],
  [
    'changed the head',
    `update probity_audit_heads set hash = '00' where organization_id = :id`,
    changed(12),
    11,
  ],
  [
    'moved an entry to the end',
    `update probity_audit_entries set sequence = 13 ${row(4)}`,
    missing(4),
    3,
  ],
  [
    'invented a checkpoint',
    `insert into probity_audit_checkpoints (organization_id, sequence, hash) values (:id, 4, '00')`,
    added(1),
    0,
  ],
];

const BOX = createSecretBox([new Uint8Array(32).fill(7)]);

/** Changes entry 2 of the log and recomputes all hashes, the head's included. */
async function recompute(database: SqlDatabase, id: string): Promise<void> {
  const chain = await database.kernel(database.reader).readAuditChain(id, 0, 100);
  const execute = (statement: string) => run(database, statement);
  let last: { sequence: number; hash: string } | null = null;
  for (const entry of chain) {
    const forged: typeof entry =
      entry.sequence === 2 ? { ...entry, action: 'thing.forged' } : entry;
    const { action, previousHash, hash, sequence } = chainEntry(forged, positionAfter(last));
    await execute(
      `update probity_audit_entries set action = '${action}', previous_hash = '${previousHash}',
        hash = '${hash}' where organization_id = '${id}' and sequence = ${sequence}`,
    );
    last = { sequence, hash };
  }
  await execute(
    `update probity_audit_heads set hash = '${last?.hash}' where organization_id = '${id}'`,
  );
}

/** Cuts off the entries after the third and sets the head back. */
async function cutEnd(database: SqlDatabase, id: string): Promise<void> {
  const of = `organization_id = '${id}'`;
  await run(database, `delete from probity_audit_entries where ${of} and sequence > 3`);
  await run(
    database,
    `update probity_audit_heads set sequence = 3, hash =
      (select hash from probity_audit_entries where ${of} and sequence = 3) where ${of}`,
  );
}

/** Cuts off the first entries as retention does. */
async function cutStart(database: SqlDatabase, id: string): Promise<void> {
  const of = `organization_id = '${id}'`;
  await run(
    database,
    `insert into probity_audit_checkpoints (organization_id, sequence, hash)
      select organization_id, sequence, hash from probity_audit_entries where ${of} and sequence = 2`,
  );
  await run(database, `delete from probity_audit_entries where ${of} and sequence <= 2`);
}

for (const target of sqlTargets) {
  describe(`${target.name}: verification of the audit log`, () => {
    test('a keyed audit log that was recomputed or cut with write access to the database is found', async (t) => {
      for (const tamper of [recompute, cutEnd, cutStart]) {
        const opened = await target.open();
        t.after(opened.dispose);
        const database = opened.database as SqlDatabase;
        const { organizationId } = await createTestTenant(opened);
        const sealer = createAuditSealer(BOX);
        const record = () =>
          database.transaction((session) =>
            database.kernel(session).recordAudit(newAuditEntry(organizationId), sealer),
          );
        for (let count = 0; count < 5; count += 1) await record();
        const verify = () => verifyAuditChain(database, organizationId, BOX);
        assert.equal((await verify()).keyedFrom, 1);
        await tamper(database, organizationId);
        const plain = await verifyAuditChain(database, organizationId);
        assert.equal(plain.fault, null, 'the hash chain alone does not show it');
        assert.equal((await verify()).fault?.reason, 'unsealed', tamper.name);
        await record();
        assert.equal((await verify()).fault?.reason, 'unsealed', `${tamper.name}, later`);
      }
    });

    test('a keyed audit log that was wiped, or forged without its seal, is reported after the next entry too', async (t) => {
      const remove = (tables: string[]) => async (database: SqlDatabase, id: string) => {
        for (const table of tables) {
          const column = table === 'probity_audit_register' ? 'tenant_id' : 'organization_id';
          await run(database, `delete from ${table} where ${column} = '${id}'`);
        }
      };
      const [entries, heads, register] = ['entries', 'heads', 'register'].map(
        (name) => `probity_audit_${name}`,
      ) as [string, string, string];
      const forge = async (database: SqlDatabase, id: string) => {
        await recompute(database, id);
        await run(
          database,
          'update probity_audit_heads set keyed_from = null, sealed_key = null, mac = null',
        );
      };
      const cases: Array<[string, typeof forge, number | null]> = [
        ['entries and head', remove([entries, heads]), 1],
        ['head', remove([heads]), 6],
        ['head, and an entry was changed', forge, 6],
        ['all of one log', remove([entries, heads, register]), null],
      ];
      for (const [what, tamper, lostAt] of cases) {
        const opened = await target.open();
        t.after(opened.dispose);
        const database = opened.database as SqlDatabase;
        const ids = [await createTestTenant(opened), await createTestTenant(opened)];
        const warnings: unknown[] = [];
        const sealer = createAuditSealer(BOX, undefined, (...found) => warnings.push(found));
        const record = (organizationId: string) =>
          database.transaction((session) =>
            database.kernel(session).recordAudit(newAuditEntry(organizationId), sealer),
          );
        for (let count = 0; count < 5; count += 1) {
          for (const { organizationId } of ids) await record(organizationId);
        }
        const [id, other] = ids.map(({ organizationId }) => organizationId) as [string, string];
        await tamper(database, id);
        await record(id);
        await record(id);
        const { fault } = await verifyAuditChain(database, id, BOX);
        const { faults } = await verifyAuditRegister(database, BOX);
        if (lostAt === null) {
          assert.deepEqual([fault, faults], [null, ['1 of 3 records are missing']]);
        } else {
          assert.deepEqual([fault, faults], [{ sequence: lostAt, reason: 'lost' }, []], what);
          assert.deepEqual(warnings, [[id, lostAt]], what);
        }
        if (tamper !== forge) {
          assert.equal((await verifyAuditChain(database, other, BOX)).fault, null);
        }
        await run(database, "delete from probity_audit_register where id = 'size'");
        const { organizationId: third } = await createTestTenant(opened);
        await record(third);
        const [lost] = (await verifyAuditRegister(database, BOX)).faults;
        assert.equal(lost, 'the record on all logs was missing when a log was added');
      }
    });

    test('a new key of an audit log is not stored under a retired encryption key', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const database = opened.database as SqlDatabase;
      const { organizationId } = await createTestTenant(opened);
      const sealingKeys = createSqlSealingKeys(database);
      await sealingKeys.register(BOX.keyId, new Date(0));
      await sealingKeys.retire(BOX.keyId, new Date(1));
      const recording = database.transaction((session) =>
        database.kernel(session).recordAudit(newAuditEntry(organizationId), createAuditSealer(BOX)),
      );
      await assert.rejects(recording, { kind: 'unavailable' });
    });

    test('verification detects changes to the tables, in the affected organization only', async (t) => {
      for (const [what, statement, fault, entries] of TAMPERINGS) {
        await t.test(what, async (each) => {
          const world = await createWorld(each, target);
          await world.tamper(statement);
          const { fault: found, entries: walked } = await world.verify();
          assert.deepEqual([found, walked], [fault, entries]);
          await world.assertOtherIsWhole();
        });
      }
    });

    test('verification of an audit log begins after the checkpoint that retention left', async (t) => {
      const { tamper, verify, database, id } = await createWorld(t, target);
      const checkpoint = `insert into probity_audit_checkpoints (organization_id, sequence, hash)
        select organization_id, sequence, hash from probity_audit_entries ${row(5)}`;
      await tamper(checkpoint);
      await tamper(
        'delete from probity_audit_entries where organization_id = :id and sequence <= 5',
      );
      assert.deepEqual(await verify(), {
        ...{ organizationId: id, entries: 7 },
        ...{ fault: null, keyedFrom: null },
      });
      await recordAudit(database, newAuditEntry(id));
      assert.equal((await verify()).entries, 8);
      await tamper(`delete from probity_audit_entries ${row(6)}`);
      assert.deepEqual((await verify()).fault, missing(6));
    });

    test('an audit log is valid after retention has removed all its entries', async (t) => {
      const { tamper, verify, id } = await createWorld(t, target);
      await tamper(`insert into probity_audit_checkpoints (organization_id, sequence, hash)
        select organization_id, sequence, hash from probity_audit_entries ${row(12)}`);
      await tamper('delete from probity_audit_entries where organization_id = :id');
      assert.deepEqual(await verify(), {
        ...{ organizationId: id, entries: 0 },
        ...{ fault: null, keyedFrom: null },
      });
    });

    test('verification of an audit log tolerates entries recorded meanwhile', async (t) => {
      const { database, id, verify } = await createWorld(t, target);
      let isRecording = true;
      const recording = (async () => {
        while (isRecording) await recordAudit(database, newAuditEntry(id));
      })();
      for (let round = 0; round < 20; round += 1) assert.equal((await verify()).fault, null);
      isRecording = false;
      await recording;
      assert.equal((await verify()).fault, null);
    });
  });
}

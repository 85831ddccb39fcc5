import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { verifyAuditChain } from '../../src/audit/audit-log.ts';
import { createAuditTrimmer } from '../../src/audit/retention.ts';
import type { LogFields, Logger } from '../../src/logging/logger.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { at, newAuditEntry, recordAudit } from '../../src/testing/records.ts';
import { sqlTargets } from '../support.ts';

/** A log of ten entries, at 1 to 10 milliseconds, in a separate database. */
async function openLog(t: TestContext, target: (typeof sqlTargets)[number]) {
  const opened = await target.open();
  t.after(opened.dispose);
  const database = opened.database as SqlDatabase;
  const { organizationId: id } = await createTestTenant(opened);
  const times = Array.from({ length: 10 }, (_, index) => index + 1);
  await recordAudit(database, ...times.map((ms) => newAuditEntry(id, { createdAt: at(ms) })));
  const execute = (statement: string) =>
    database.transaction((session) => session.execute(statement, []));
  const errors: LogFields[] = [];
  const logger: Logger = { ...silentLogger, error: (_, fields = {}) => errors.push(fields) };
  const trim = createAuditTrimmer({ database, logger });
  const verify = async () => {
    const { entries, fault } = await verifyAuditChain(database, id);
    return fault ? `${fault.sequence} ${fault.reason}` : `${entries} whole`;
  };
  return { database, id, execute, errors, trim, verify };
}

const forged = (id: string, sequence: number) =>
  `insert into probity_audit_entries select 'aud_forged', organization_id, ${sequence}, action, actor_type,
   actor_id, credential_id, target_type, target_id, before, after, address, request_id,
   previous_hash, hash, created_at from probity_audit_entries where organization_id = '${id}' and
   sequence = 8`;

for (const target of sqlTargets) {
  describe(`a trimmed audit log on ${target.name}`, { concurrency: true }, () => {
    const tampering: Array<[string, (id: string) => string, string]> = [
      [
        'an entry behind the checkpoint',
        () => "update probity_audit_entries set action = 'x' where sequence = 7",
        '7 changed',
      ],
      [
        'the first entry that is left',
        () => 'delete from probity_audit_entries where sequence = 6',
        '6 missing',
      ],
      ['the end', () => 'delete from probity_audit_entries where sequence = 10', '10 missing'],
      [
        "the checkpoint's hash",
        () => "update probity_audit_checkpoints set hash = 'x'",
        '6 changed',
      ],
      [
        'a checkpoint set back',
        () => 'update probity_audit_checkpoints set sequence = 4',
        '5 missing',
      ],
      [
        'a checkpoint set forward',
        () => 'update probity_audit_checkpoints set sequence = 6',
        '6 added',
      ],
      ['a checkpoint taken away', () => 'delete from probity_audit_checkpoints', '1 missing'],
      ['an entry put before the checkpoint', (id) => forged(id, 3), '3 added'],
    ];
    for (const [what, statement, found] of tampering) {
      it(`audit verification after retention detects tampering with ${what}`, async (t) => {
        const { id, execute, trim, verify } = await openLog(t, target);
        assert.equal(await trim(at(6), 100), 5);
        assert.equal(await verify(), '5 whole');
        await execute(statement(id));
        assert.equal(await verify(), found);
      });
    }

    it('audit verification after retention detects tampering with a checkpoint without entries', async (t) => {
      const { execute, trim, verify } = await openLog(t, target);
      assert.equal(await trim(at(99), 100), 10);
      assert.equal(await verify(), '0 whole');
      await execute("update probity_audit_checkpoints set hash = 'x'");
      assert.equal(await verify(), '10 changed');
    });

    it('a broken audit log is not trimmed, and is reported once per run', async (t) => {
      const { id, execute, errors, trim, verify } = await openLog(t, target);
      await execute("update probity_audit_entries set action = 'x' where sequence = 4");
      assert.deepEqual([await trim(at(99), 2), await trim(at(99), 2)], [2, 0]);
      assert.equal(await trim(at(99), 2), 0);
      assert.deepEqual(errors, [{ organization_id: id, sequence: 4 }]);
      assert.equal(await verify(), '4 changed');
      await trim(at(100), 2);
      assert.equal(errors.length, 2);
    });
  });
}

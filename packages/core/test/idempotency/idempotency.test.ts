import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { createSecretBox } from '../../src/crypto/secret-box.ts';
import { ProbityError } from '../../src/errors.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import type { IdempotentRequest, KeptReply } from '../../src/idempotency/kept-replies.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sqlTargets } from '../support.ts';

const SECRET = 'pbk_shown_once_and_never_again';
// Long enough that none of them turns up by chance in the record's random and hashed values.
const PIN = 'pin-that-is-in-the-body-alone';
const request = {
  key: 'idempotency-key-of-the-first-request',
  organizationId: 'acme',
  keyId: 'key_that_the_request_came_with',
  callerSecret: 'the token of the caller',
  route: 'POST /v1/keys',
  input: { pin: PIN },
} satisfies IdempotentRequest;

async function createWorld(t: TestLifetime, target: DatabaseTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  assert.ok(opened.kind === 'sql');
  const { database } = opened;
  const secretBox = createSecretBox([Buffer.alloc(32, 1)]);
  const idempotency = createIdempotency({ database, clock: createTestClock(), secretBox });
  let runs = 0;
  const run = (given: Partial<IdempotentRequest> = {}) =>
    idempotency.run({
      request: { ...request, ...given },
      work: async () => {
        runs += 1;
        return { status: 201, body: { token: SECRET } };
      },
      toReply,
    });
  return { database, run, runs: () => runs };
}

const toReply = ({ status, message }: ProbityError): KeptReply => ({ status, body: { message } });

interface IdempotencyRow {
  scope: string;
  fingerprint: string;
  sealed_reply: string;
  created_at: number;
}

async function rowOf(database: SqlDatabase): Promise<IdempotencyRow> {
  const { rows } = await database.reader.execute<IdempotencyRow>(
    'select * from probity_idempotency_records',
    [],
  );
  assert.equal(rows.length, 1);
  return rows[0] as IdempotencyRow;
}

function update(database: SqlDatabase, column: string, value: string): Promise<unknown> {
  const placeholder = database.dialect === 'sqlite' ? '?' : '$1';
  return database.transaction((session) =>
    session.execute(`update probity_idempotency_records set ${column} = ${placeholder}`, [value]),
  );
}

function refusal(kind: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ProbityError);
    assert.equal(error.kind, kind);
    assert.doesNotMatch(error.message, new RegExp(SECRET));
    return true;
  };
}

for (const target of sqlTargets) {
  describe(`${target.name}: kept answers`, () => {
    test('a stored response opens with the token of its caller only', async (t) => {
      const { run, runs } = await createWorld(t, target);
      const first = await run();
      assert.deepEqual((await run()).reply, first.reply);
      await assert.rejects(run({ callerSecret: 'another token' }), refusal('conflict'));
      assert.equal(runs(), 1);
    });

    test('an idempotency record exposes nothing of the request or the response', async (t) => {
      const { database, run } = await createWorld(t, target);
      await run();
      const stored = Object.values(await rowOf(database)).join(' ');
      for (const secret of [SECRET, request.callerSecret, request.key, request.keyId, PIN]) {
        assert.ok(!stored.includes(secret), secret);
      }
    });

    test('idempotency keys of two organizations are independent, whatever their callers are called', async (t) => {
      const { run, runs } = await createWorld(t, target);
      const shared = { keyId: 'ann', callerSecret: null };
      await run({ ...shared, organizationId: 'acme' });
      assert.equal((await run({ ...shared, organizationId: 'globex' })).isReplay, false);
      assert.equal((await run({ ...shared, organizationId: 'acme' })).isReplay, true);
      assert.equal(runs(), 2);
    });

    test('the response to a caller without a secret is not opened by what the database holds', async (t) => {
      const { database, run } = await createWorld(t, target);
      await run({ callerSecret: null });
      assert.equal((await run({ callerSecret: null })).isReplay, true);
      const other = createSecretBox([Buffer.alloc(32, 2)]);
      const idempotency = createIdempotency({
        database,
        clock: createTestClock(),
        secretBox: other,
      });
      const work = () => Promise.reject(new Error('not run'));
      const call = { request: { ...request, callerSecret: null }, work, toReply };
      await assert.rejects(idempotency.run(call), refusal('conflict'));
      await assert.rejects(run({ callerSecret: request.keyId }), refusal('conflict'));
    });

    test('the response to a caller without a secret opens after a rotation, with the former key', async (t) => {
      const { database, run } = await createWorld(t, target);
      const first = await run({ callerSecret: null });
      const secretBox = createSecretBox([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
      const rotated = createIdempotency({ database, clock: createTestClock(), secretBox });
      const work = () => Promise.reject(new Error('not run'));
      const send = (input: object) =>
        rotated.run({ request: { ...request, callerSecret: null, input }, work, toReply });
      assert.deepEqual((await send(request.input)).reply, first.reply);
      await assert.rejects(send({ pin: 'another' }), refusal('validation_failed'));
    });

    test('the stored fingerprint of a request body cannot be computed without the token', async (t) => {
      const [one, two] = [await createWorld(t, target), await createWorld(t, target)];
      await one.run();
      await two.run({ callerSecret: 'another token' });
      const [first, second] = [await rowOf(one.database), await rowOf(two.database)];
      assert.equal(first.scope, second.scope);
      assert.notEqual(first.fingerprint, second.fingerprint);
    });

    test('an idempotency record that was changed or moved to another scope is never returned as a response', async (t) => {
      const { database, run } = await createWorld(t, target);
      await run();
      const { sealed_reply: sealed, scope } = await rowOf(database);
      await run({ key: 'k2' });
      const { rows } = await database.reader.execute<IdempotencyRow>(
        'select * from probity_idempotency_records',
        [],
      );
      const other = rows.find((row) => row.scope !== scope)?.sealed_reply ?? '';
      for (const forged of [other, `${sealed.slice(0, -4)}AAAA`, '']) {
        await update(database, 'sealed_reply', forged);
        await assert.rejects(run(), refusal('conflict'));
      }
    });
  });
}

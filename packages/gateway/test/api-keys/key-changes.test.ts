import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestClock, temporaryFolder } from '@probity/test-support';
import { openKeyStore } from '../../src/api-keys/key-store.ts';
import { createKeyWatch } from '../../src/api-keys/key-watch.ts';
import { at, startGateway } from '../world.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

test('a key whose line is deleted is refused, also while another line is malformed', async (t) => {
  const clock = createTestClock();
  const { call, folder, records, scan, stored, addKey } = await startGateway(t, '', { clock });
  const file = join(folder, 'gateway-keys');
  const other = addKey({ name: 'other', users: ['jane'] });
  const status = async (headers = {}) => (await scan({ response: 'Hello.' }, headers)).status;
  await clock.advance(1_000);
  assert.equal(await status({ Authorization: `Bearer ${other}` }), 200);
  assert.equal(await status(), 200);
  writeFileSync(file, `oops\n${readFileSync(file, 'utf8').replace(/^.*name=app.*\n/m, '')}`);
  await clock.advance(1_000);
  assert.equal(await status(), 401);
  assert.equal(await status({ Authorization: `Bearer ${other}` }), 200);
  const { body } = await call('/health');
  assert.equal(at(body, 'status'), 'degraded');
  assert.equal(
    at(body, 'checks.keys'),
    'error: line 1 of the keys file holds no key: expected sha256:<64 hexadecimal digits>',
  );
  const faults = records().filter(
    ({ message }) => message === 'a line of the keys file holds no key',
  );
  assert.deepEqual(
    faults.map(({ line, error }) => ({ line, error })),
    [{ line: 1, error: 'expected sha256:<64 hexadecimal digits>' }],
  );
  assert.ok(!JSON.stringify(records()).includes('oops'));
  const acts = (await stored()).filter(({ kind }) => kind === 'act');
  assert.deepEqual(
    acts.map(({ client_id, action, detail }) => [client_id, action, JSON.parse(detail ?? '')]),
    [
      ['system', 'key.added', { name: 'other', role: 'member' }],
      ['system', 'key.removed', { name: 'app', role: 'member' }],
    ],
  );
});

test('a missing keys file is told once, with the command that makes a key', async (t) => {
  const clock = createTestClock();
  const file = join(temporaryFolder(t).path, 'keys');
  const warnings: unknown[] = [];
  const warn = (message: string, fields: unknown) => void warnings.push([message, fields]);
  const changes: unknown[] = [];
  const watch = createKeyWatch({
    ...{ file, clock, logger: { ...SILENT, warn } },
    record: (change) => void changes.push(change),
  });
  watch.start?.();
  t.after(() => watch.close?.());
  await clock.advance(3_000);
  assert.deepEqual(warnings, [
    [
      'the keys file is missing: no request with an API key is taken; create a key with',
      { keys_file: file, command: `probity-gateway key create --file ${file} --name NAME` },
    ],
  ]);
  const line = (name: string, role: string) =>
    `sha256:${'a'.repeat(64)} name=${name} role=${role}\n`;
  for (const text of [line('ci', 'member'), line('ci', 'admin')]) {
    writeFileSync(file, text);
    await clock.advance(1_000);
  }
  rmSync(file);
  await clock.advance(1_000);
  assert.deepEqual(changes, [
    { action: 'key.added', name: 'ci', role: 'member' },
    { action: 'key.changed', name: 'ci', role: 'admin' },
    { action: 'key.removed', name: 'ci', role: 'admin' },
  ]);
  assert.equal(warnings.length, 2);
});

test('a file that cannot be opened leaves the keys as they are, and is read as soon as it can be', async (t) => {
  const clock = createTestClock();
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'keys');
  appendFileSync(file, `sha256:${'a'.repeat(64)} name=ci\n`);
  const store = openKeyStore(file, clock);
  rmSync(file);
  // Of a folder the state can be had, and no text.
  mkdirSync(file);
  await clock.advance(1_000);
  assert.deepEqual(
    [store.state().unread, [...store.state().keys.values()].map(({ name }) => name)],
    ['EISDIR', ['ci']],
  );
  rmdirSync(file);
  await clock.advance(1_000);
  assert.deepEqual([store.state().unread, store.state().keys.size], [null, 0]);
});

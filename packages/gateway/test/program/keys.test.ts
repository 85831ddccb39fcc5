import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { hashKey, readKeyFile } from '../../src/api-keys/key-file.ts';
import { run } from './run.ts';

const CREATE = ['key', 'create', '--name', 'ci'];

test('key create prints the key once and stores its hash alone, readable by its owner', async (t) => {
  const file = join(temporaryFolder(t).path, 'keys');
  const env = { PROBITY_GATEWAY_API_KEYS_FILE: file };
  const first = await run([...CREATE, '--users', 'alice', '--domains', 'example.com,*'], { env });
  assert.equal(first.code, 0, first.stderr);
  const key = first.stdout.trim();
  assert.match(key, /^pbk_[0-9A-Za-z]{38}$/);
  const second = await run(['key', 'create', '--role', 'admin'], { env });
  const text = readFileSync(file, 'utf8');
  assert.ok(!text.includes(key) && !text.includes(second.stdout.trim()));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { keys } = readKeyFile(text);
  const { created, ...stored } = keys.get(hashKey(key)) ?? {};
  assert.ok(Math.abs(Date.parse(created ?? '') - Date.now()) < 60_000);
  assert.deepEqual(stored, {
    hash: hashKey(key),
    name: 'ci',
    role: 'member',
    users: ['alice'],
    domains: ['example.com', '*'],
  });
  assert.equal(keys.get(hashKey(second.stdout.trim()))?.role, 'admin');
});

test('key create refuses a taken name, and a wrong name, role or domain', async (t) => {
  const folder = temporaryFolder(t).path;
  const config = join(folder, 'gateway.yaml');
  const create = (...more: string[]) => run(['key', 'create', '--config', config, ...more]);
  assert.equal((await create('--name', 'one')).code, 0);
  assert.equal(readKeyFile(readFileSync(join(folder, 'gateway-keys'), 'utf8')).keys.size, 1);
  for (const more of [
    ['--name', 'one'],
    ['--role', 'owner'],
    ['--name', 'a b'],
    ['--domains', 'https://example.com'],
  ]) {
    const { code, stdout } = await create(...more);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  }
});

test('key list shows names, roles and times, neither keys nor hashes', async (t) => {
  const file = join(temporaryFolder(t).path, 'keys');
  const key = (await run(['key', 'create', '--name', 'ci', '--file', file])).stdout.trim();
  const listed = await run(['key', 'list', '--file', file]);
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /^NAME {2}ROLE {4}CREATED\nci {4}member {2}\d{4}-\d\d-\d\dT\S+Z\n$/);
  assert.ok(!listed.stdout.includes(key) && !listed.stdout.includes(hashKey(key)));
  writeFileSync(file, `oops\n${readFileSync(file, 'utf8')}`);
  const faulty = await run(['key', 'list', '--file', file]);
  assert.equal(faulty.code, 1);
  assert.match(faulty.stderr, /keys: line 1: expected sha256:/);
  assert.match(faulty.stdout, /^ci {4}member/m);
});

test('key revoke removes every line of a key, and leaves all others as they are', async (t) => {
  const file = join(temporaryFolder(t).path, 'keys');
  const line = (name: string, of = name) => `sha256:${hashKey(of)} name=${name}`;
  const before = [
    '# keys',
    line('ci'),
    '',
    line('dev'),
    'oops',
    line('again', 'ci'),
    line('ci', 'x'),
  ];
  writeFileSync(file, `${before.join('\n')}\n`, { mode: 0o640 });
  const { mode } = statSync(file);
  const unknown = await run(['key', 'revoke', 'dew', '--file', file]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /has no key dew\. Did you mean dev\?/);
  const { code, stderr } = await run(['key', 'revoke', 'ci', '--file', file]);
  assert.equal(code, 0, stderr);
  assert.equal(readFileSync(file, 'utf8'), `# keys\n\n${line('dev')}\noops\n`);
  assert.equal(statSync(file).mode, mode);
});

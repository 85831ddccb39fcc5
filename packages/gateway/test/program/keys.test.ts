import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { hashKey, parseKeyFile } from '../../src/api-keys/key-file.ts';
import { run } from './run.ts';

test('key create prints the key once and stores its hash alone, readable by its owner', async (t) => {
  const file = join(temporaryFolder(t).path, 'keys');
  const env = { PROBITY_GATEWAY_API_KEYS_FILE: file };
  const first = await run(['key', 'create', '--name', 'ci', '--users', 'alice'], { env });
  assert.equal(first.code, 0, first.stderr);
  const key = first.stdout.trim();
  assert.match(key, /^pbk_[0-9A-Za-z]{38}$/);
  const second = await run(['key', 'create', '--role', 'admin'], { env });
  const text = readFileSync(file, 'utf8');
  assert.ok(!text.includes(key) && !text.includes(second.stdout.trim()));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const keys = parseKeyFile(text);
  assert.deepEqual(keys.get(hashKey(key)), {
    hash: hashKey(key),
    name: 'ci',
    role: 'member',
    users: ['alice'],
  });
  assert.equal(keys.get(hashKey(second.stdout.trim()))?.role, 'admin');
});

test('key create writes beside the configuration, and refuses a taken name and a wrong role', async (t) => {
  const folder = temporaryFolder(t).path;
  const config = join(folder, 'gateway.yaml');
  const create = (...more: string[]) => run(['key', 'create', '--config', config, ...more]);
  assert.equal((await create('--name', 'one')).code, 0);
  assert.equal(parseKeyFile(readFileSync(join(folder, 'gateway-keys'), 'utf8')).size, 1);
  for (const more of [
    ['--name', 'one'],
    ['--role', 'owner'],
    ['--name', 'a b'],
  ]) {
    const { code, stdout } = await create(...more);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  }
});

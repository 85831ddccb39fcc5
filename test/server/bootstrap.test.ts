import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { emptyDatabases, run } from './support.ts';

const NO_KEY = { PROBITY_ENCRYPTION_KEY: undefined };
const NAMES = ['--organization', 'Acme', '--owner-email', 'ann@acme.example'];

test('bootstrap before the first start makes the key, so that the audit log is sealed from its first entry on', async (t) => {
  const path = `${temporaryFolder(t).path}/probity.db`;
  const program = (...args: string[]) => run(t, [...args, '--database', `sqlite:${path}`], NO_KEY);
  const first = program('bootstrap', ...NAMES, '--json', '--public-url', 'https://probity.example');
  assert.equal(await first.exited, 0, first.stderr);
  assert.match(first.stdout, /^\{.*\}\n$/);
  const made = JSON.parse(first.stdout);
  assert.equal(made.scim_base_url, 'https://probity.example/scim/v2');
  const link = `https://probity.example/password/reset?token=${made.setup_token}`;
  assert.equal(made.setup_url, link);
  assert.match(first.stderr, /to https:\/\/probity\.example\/v1\/auth\/password\/reset\./);
  assert.match(first.stderr, /provisions members with scim_token/);
  assert.ok(!first.stderr.includes('Warning') && !first.stderr.includes('--public-url'));
  assert.equal(statSync(`${path}.key`).mode & 0o777, 0o600);
  const verify = program('audit', 'verify');
  assert.equal(await verify.exited, 0, verify.stderr);
  assert.match(verify.stdout, /, keyed; last entry .*\n$/);
  const second = program('bootstrap', ...NAMES, '--json');
  assert.equal(await second.exited, 0, second.stderr);
  assert.ok(
    second.stderr.includes(`Warning: ${made.organization_id} has this name and this owner`),
  );
  assert.match(second.stderr, /begin with http:\/\/127\.0\.0\.1:\d+; --public-url/);
});

for (const empty of emptyDatabases.filter(({ name }) => name === 'postgres')) {
  test('bootstrap on PostgreSQL without an encryption key says that the first entry is not sealed', async (t) => {
    const location = await empty.create(t);
    const program = run(t, ['bootstrap', ...NAMES, '--json', '--database', location], NO_KEY);
    assert.equal(await program.exited, 0, program.stderr);
    assert.match(program.stderr, /PROBITY_ENCRYPTION_KEY is not set: .* is not sealed/);
  });
}

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { call, emptyDatabases, run, serve } from './support.ts';

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
  assert.match(second.stdout, /^\{.*\}\n$/);
  assert.notEqual(JSON.parse(second.stdout).organization_id, made.organization_id);
  assert.ok(
    second.stderr.includes(`Warning: ${made.organization_id} has this name and this owner`),
  );
  assert.match(second.stderr, /begin with http:\/\/127\.0\.0\.1:\d+; --public-url/);
});

test('bootstrap without --json refuses an organization that the same owner has under that name', async (t) => {
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const command = ['bootstrap', ...NAMES, '--database', location];
  const first = run(t, command, NO_KEY);
  assert.equal(await first.exited, 0, first.stderr);
  const id = /organization_id +(\S+)/.exec(first.stdout)?.[1];
  const again = run(t, command, NO_KEY);
  assert.notEqual(await again.exited, 0);
  assert.equal(again.stdout, '');
  assert.ok(again.stderr.includes(`ann@acme.example owns the organization Acme (${id}) already.`));
});

test('serve logs the bootstrap command when the database has no organization', async (t) => {
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const env = { ...NO_KEY, PROBITY_FIRST_START: 'off' };
  const { program } = await serve(t, location, { env });
  const line = /has no organization yet, so no API key works: run probity-server bootstrap/;
  assert.match(program.stdout, line);
});

for (const empty of emptyDatabases.filter(({ name }) => name === 'postgres')) {
  test('bootstrap on PostgreSQL without an encryption key is refused and creates nothing', async (t) => {
    const location = await empty.create(t);
    const args = ['bootstrap', ...NAMES, '--json', '--database', location];
    const refused = run(t, args, NO_KEY);
    assert.notEqual(await refused.exited, 0);
    assert.match(refused.stderr, /PROBITY_ENCRYPTION_KEY: is required with PostgreSQL/);
    const accepted = run(t, args, {});
    assert.equal(await accepted.exited, 0, accepted.stderr);
    assert.match(
      accepted.stderr,
      /^The PostgreSQL database test_\w+ at 127\.0\.0\.1:\d+ has the new/,
    );
    assert.ok(!accepted.stderr.includes('Warning'));
  });
}

test('bootstrap stores description, website and data residency, and names the flag of a bad one', async (t) => {
  const path = `${temporaryFolder(t).path}/probity.db`;
  const program = (...args: string[]) =>
    run(t, ['bootstrap', ...NAMES, '--json', ...args, '--database', `sqlite:${path}`], NO_KEY);
  const made = program(
    ...['--description', 'Pumps\nand valves', '--website', 'https://acme.example'],
    ...['--data-residency', 'eu'],
  );
  assert.equal(await made.exited, 0, made.stderr);
  const { organization_id: id, api_key: key } = JSON.parse(made.stdout);
  const { url } = await serve(t, `sqlite:${path}`, { env: NO_KEY });
  const { status, body } = await call(`${url}/v1/organizations/${id}`, key);
  assert.equal(status, 200);
  assert.equal(body.description, 'Pumps\nand valves');
  assert.equal(body.website, 'https://acme.example/');
  assert.equal(body.settings.data_residency, 'eu');
  for (const [flag, value] of [
    ['--website', 'acme.example'],
    ['--website', 'javascript:alert(1)'],
    ['--description', ' '],
    ['--description', 'x'.repeat(1_001)],
    ['--data-residency', 'e\u202eu'],
  ] as const) {
    const refused = program(flag, value);
    assert.equal(await refused.exited, 1, value);
    assert.ok(refused.stderr.startsWith(`probity-server: ${flag}: must be `), refused.stderr);
  }
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteFile } from '@probity/core/internal';
import { startGateway } from '../world.ts';
import { run } from './run.ts';

test('audit verify walks the chain of the acts, and names the one that was changed', async (t) => {
  const { gateway, file, folder } = await startGateway(t);
  await gateway.reloader.reload();
  await gateway.reloader.reload();
  await gateway.stop();
  const verify = () => run(['audit', 'verify', '--config', file]);
  const intact = await verify();
  assert.deepEqual(
    [intact.code, intact.stdout],
    [0, 'gateway_audit: 2 acts, intact\n'],
    intact.stderr,
  );
  const path = join(folder, 'gateway.db');
  const database = openSqliteFile(path, 0);
  database.exec("update gateway_audit set client_id = 'other' where sequence = 2");
  database.close();
  const changed = await verify();
  assert.equal(changed.code, 1);
  assert.equal(
    changed.stdout,
    'gateway_audit: 1 acts are intact; the one with sequence 2: changed\n',
  );
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  const missing = await verify();
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /there is no database file/);
});

test('audit verify finds that all acts were deleted, with their seal', async (t) => {
  const { gateway, file, folder } = await startGateway(t);
  await gateway.reloader.reload();
  await gateway.stop();
  const database = openSqliteFile(join(folder, 'gateway.db'), 0);
  database.exec('delete from gateway_audit');
  database.exec("update gateway_audit_chains set sequence = 0, hash = '', seal = null");
  database.close();
  const { code, stdout } = await run(['audit', 'verify', '--config', file]);
  assert.equal(code, 1);
  assert.match(stdout, /^gateway_audit: the seal of the chain must be made with the key/);
});

test('audit verify needs no variable of sections that it does not read', async (t) => {
  const text = `audit: {table_name: acts}
models:
  providers:
    openai: {enabled: true, api_key: "\${KEY_OF_A_PROVIDER}", models: {'*': {enabled: true}}}
`;
  const env = { KEY_OF_A_PROVIDER: 'sk-test' };
  const { gateway, file } = await startGateway(t, text, { env });
  await gateway.reloader.reload();
  await gateway.stop();
  const { code, stdout, stderr } = await run(['audit', 'verify', '--config', file]);
  assert.deepEqual([code, stdout], [0, 'acts: 1 acts, intact\n'], stderr);
});

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

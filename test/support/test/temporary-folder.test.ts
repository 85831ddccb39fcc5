import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder, temporaryRoot } from '../src/temporary-folder.ts';

test('a folder on the disk is made in the temporary folder of the system', (t) => {
  assert.equal(dirname(temporaryFolder(t, 'disk').path), tmpdir());
});

test('a folder is made in memory where there is room, else in the temporary folder', (t) => {
  const { path } = temporaryFolder(t);
  assert.equal(dirname(path), temporaryRoot());
  assert.ok(['/dev/shm', tmpdir()].includes(temporaryRoot()), temporaryRoot());
});

test('a folder is removed with all that is in it after the test', async (t) => {
  let path = '';
  await t.test('a test with a folder', (inner) => {
    path = temporaryFolder(inner).path;
    writeFileSync(join(path, 'a'), 'b');
    assert.ok(existsSync(path));
  });
  assert.equal(existsSync(path), false);
});

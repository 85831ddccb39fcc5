import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder, temporaryRoot } from '../src/temporary-folder.ts';

test("a temporary folder on disk is created in the system's temporary folder", (t) => {
  assert.equal(dirname(temporaryFolder(t, 'disk').path), tmpdir());
});

test("a temporary folder is created in memory if there is room, else in the system's folder", (t) => {
  const { path } = temporaryFolder(t);
  assert.equal(dirname(path), temporaryRoot());
  assert.ok(['/dev/shm', tmpdir()].includes(temporaryRoot()), temporaryRoot());
});

test('a temporary folder is removed with its contents after the test', async (t) => {
  let path = '';
  await t.test('a test with a folder', (inner) => {
    path = temporaryFolder(inner).path;
    writeFileSync(join(path, 'a'), 'b');
    assert.ok(existsSync(path));
  });
  assert.equal(existsSync(path), false);
});

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder, until } from '@probity/test-support';
import { bootstrap, call, scanLeak, serveProcess } from './support.ts';

/** A disk of 48 MB in memory; null where this user may not mount one. */
function mountSmallDisk(t: TestLifetime): string | null {
  const folder = temporaryFolder();
  const path = join(folder.path, 'disk');
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', path]);
  t.after(() => {
    if (mounted.status === 0) execFileSync('umount', ['--lazy', path]);
    folder.remove();
  });
  return mounted.status === 0 ? path : null;
}

/** Takes all the room that is left. */
function fill(file: string): void {
  const target = openSync(file, 'a');
  try {
    for (const size of [1_048_576, 4_096, 1]) {
      try {
        for (;;) writeSync(target, Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(target);
  }
}

test('sqlite: on a full disk writes are 503, reads 200, and both go on once there is room', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === null) return t.skip('no file system can be mounted here');
  const location = `sqlite:${join(disk, 'probity.db')}`;
  const { api_key: key, organization_id: id } = await bootstrap(location);
  const { url } = await serveProcess(t, location);
  const acknowledged: string[] = [];
  const scan = async () => {
    const answer = await scanLeak(url, key);
    // A blocked scan is stored too.
    if (answer.status === 403) acknowledged.push(answer.body.governance.scan_id);
    return answer;
  };
  assert.equal((await scan()).status, 403);
  const filler = join(disk, 'filler');
  await until(async () => {
    fill(filler);
    const { status, headers } = await scan();
    if (status === 403) return false;
    assert.equal(status, 503);
    return Number(headers.get('retry-after')) > 0;
  }, 'the disk is full');
  for (let request = 0; request < 50; request += 1) {
    const reads = await call(`${url}/v1/organizations/${id}/members`, key);
    assert.equal(reads.status, 200);
    const writes = await scan();
    assert.equal(writes.status, 503);
    assert.ok(Number(writes.headers.get('retry-after')) > 0);
  }
  assert.equal((await call(`${url}/ready`, null)).status, 503);
  rmSync(filler);
  await until(async () => (await scan()).status === 403, 'a write is accepted again');
  assert.equal((await call(`${url}/ready`, null)).status, 200);
  for (const scanId of acknowledged) {
    const found = await call(`${url}/api/v1/governance/scans/${scanId}`, key);
    assert.equal(found.status, 200);
  }
});

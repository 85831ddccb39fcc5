import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { acquireRedis, findRedis, redisMissing } from '../src/redis.ts';
import { temporaryFolder } from '../src/temporary-folder.ts';

test('the Redis server answers', { skip: redisMissing() }, async () => {
  const { hostname, port } = new URL((await acquireRedis()).url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write('PING\r\n');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  assert.equal(answer, '+PONG\r\n');
});

test('the Redis program is found on PATH, and files that are not executable are skipped', (t) => {
  const { path } = temporaryFolder(t);
  const folders = ['a', 'b'].map((name) => join(path, name));
  for (const folder of folders) mkdirSync(folder);
  writeFileSync(join(path, 'a', 'redis-server'), '', { mode: 0o644 });
  writeFileSync(join(path, 'b', 'valkey-server'), '', { mode: 0o755 });
  assert.equal(findRedis(folders.join(delimiter)), join(path, 'b', 'valkey-server'));
  assert.equal(findRedis(join(path, 'a')), undefined);
});

import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { createSqliteDatabase } from '@probity/core/sql';
import { startHttpsReceiver, temporaryFolder, until } from '@probity/test-support';
import { bootstrap, createWebhook, run, scanLeak, serveProcess } from './support.ts';

const CLIENTS = 4;
const KEY_IN_FILE = { PROBITY_ENCRYPTION_KEY: undefined };

async function backup(t: TestContext, location: string, file: string, env = {}) {
  const program = run(t, ['backup', file, '--database', location], env);
  return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
}

/** The ids of all scans in a database file. */
async function scansIn(path: string): Promise<Set<string>> {
  const database = createSqliteDatabase({ path });
  const { rows } = await database.reader.execute<{ id: string }>(
    'select id from probity_scans',
    [],
  );
  await database.close();
  return new Set(rows.map(({ id }) => id));
}

/** Clients that scan in sequence until stopped; returns the answers of each, in order. */
function startLoad(url: string, key: string) {
  let isOver = false;
  const told: string[][] = [];
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const own: string[] = [];
    told[index] = own;
    while (!isOver) {
      const { status, body } = await scanLeak(url, key);
      assert.equal(status, 403);
      own.push(body.governance.scan_id);
    }
  });
  return {
    told,
    /** Waits until the condition holds for every client. */
    until(isSo: (own: readonly string[], index: number) => boolean) {
      const all = until(() => told.every(isSo), 'every client has been told');
      return Promise.race([all, Promise.all(clients)]);
    },
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

describe('probity-server backup', () => {
  it('a backup under load contains all earlier answers, and a server starts on it', async (t) => {
    const receiver = await startHttpsReceiver({ test: t });
    const folder = temporaryFolder(t, 'disk').path;
    const path = join(folder, 'probity.db');
    const { api_key: key } = await bootstrap(`sqlite:${path}`, 'enterprise', KEY_IN_FILE);
    const { url, program } = await serveProcess(t, `sqlite:${path}`, {
      receiver,
      env: KEY_IN_FILE,
    });
    const { secret } = await createWebhook(url, key, receiver);
    const load = startLoad(url, key);
    await load.until((own) => own.length >= 10);
    const before = load.told.flat();
    const copy = join(folder, 'copy', 'probity.db');
    mkdirSync(join(folder, 'copy'));
    const made = await backup(t, `sqlite:${path}`, copy, KEY_IN_FILE);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^\S+probity\.db was copied to \S+probity\.db, \d+ bytes\n$/);
    assert.match(
      made.stderr,
      /^The backup does not contain the encryption key: keep a copy of \S+probity\.db\.key separately/,
    );
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const atEnd = load.told.map(({ length }) => length);
    await load.until((own, index) => own.length >= (atEnd[index] ?? 0) + 3);
    await load.stop();
    assert.equal(await program.terminate(), 0);

    const copied = await scansIn(copy);
    assert.ok(
      before.every((id) => copied.has(id)),
      'a scan answered before is missing',
    );
    for (const own of load.told) {
      const kept = own.filter((id) => copied.has(id)).length;
      assert.deepEqual(
        own.slice(0, kept).filter((id) => !copied.has(id)),
        [],
        'no prefix',
      );
      assert.ok(kept < own.length, 'the copy is older than the end');
    }
    copyFileSync(`${path}.key`, `${copy}.key`);
    const audit = run(t, ['audit', 'verify', '--database', `sqlite:${copy}`], KEY_IN_FILE);
    assert.equal(await audit.exited, 0, audit.stdout + audit.stderr);
    assert.match(audit.stdout, /, keyed; last entry .*\n$/);
    const restored = await serveProcess(t, `sqlite:${copy}`, { receiver, env: KEY_IN_FILE });
    const { body } = await scanLeak(restored.url, key);
    const isNew = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(body.governance.scan_id);
    await receiver.waitFor(isNew);
    assert.match(secret, /^whsec_/);
  });

  it('a backup to an existing file, or into a missing folder, is refused in one line', async (t) => {
    const folder = temporaryFolder(t, 'disk').path;
    const location = `sqlite:${join(folder, 'probity.db')}`;
    await bootstrap(location);
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'mine');
    const names = readdirSync(folder).sort();
    for (const [file, says] of [
      [
        taken,
        /^probity-server: The file \S+taken already exists; choose a path that does not exist\.\n$/,
      ],
      [
        join(folder, 'none', 'b.db'),
        /^probity-server: The backup \S+b\.db cannot be written: .*\n$/,
      ],
      [join(taken, 'b.db'), /^probity-server: The backup \S+b\.db cannot be written: .*\n$/],
    ] as const) {
      const { code, stdout, stderr } = await backup(t, location, file);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
    }
    const { code, stderr } = await backup(t, `sqlite:${folder}/typo.db`, join(folder, 'b.db'));
    assert.equal(code, 1);
    assert.match(stderr, /There is no database file .*typo\.db\n$/);
    assert.equal(readFileSync(taken, 'utf8'), 'mine');
    assert.deepEqual(readdirSync(folder).sort(), names);
  });

  it('a backup on PostgreSQL names the pg_dump command, without the password', async (t) => {
    const url = "postgres://ann:s3cret@db.example:5433/it's?sslmode=require&password=s3cret";
    const { code, stdout, stderr } = await backup(t, url, '/backups/today.dump');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /pg_dump --format=custom --file='\/backups\/today\.dump' 'postgres:\/\/ann@/,
    );
    assert.match(stderr, /db\.example:5433\/it'\\''s\?sslmode=require'\n$/);
    assert.doesNotMatch(stderr, /s3cret/);
    assert.equal(stderr.trim().split('\n').length, 1);
  });
});

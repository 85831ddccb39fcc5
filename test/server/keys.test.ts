import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpsReceiver } from '@probity/test-support';
import { startHttpsReceiver, temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import {
  bootstrap,
  createWebhook,
  emptyDatabases,
  run,
  scanLeak,
  serveProcess,
  spawnServer,
} from './support.ts';

const KEY_IN_FILE = { PROBITY_ENCRYPTION_KEY: undefined };
const KILLS = 4;
/** Each gets every event, so more of them would take long on a slow machine. */
const MOST_WEBHOOKS = 15;
const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
];

async function rotate(t: TestContext, location: string, env: Record<string, string | undefined>) {
  const program = run(t, ['keys', 'rotate', '--database', location], env);
  assert.equal(await program.exited, 0, program.stderr);
  assert.match(program.stdout, /^\{.*\}\n$/);
  return JSON.parse(program.stdout);
}

/** Scans, and waits until every webhook has received the event. */
async function assertDelivers(url: string, key: string, receiver: HttpsReceiver, webhooks: number) {
  const { status, body } = await scanLeak(url, key);
  assert.equal(status, 403);
  const isOfScan = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(body.governance.scan_id);
  await receiver.waitFor((_, all) => all.filter(isOfScan).length >= webhooks);
}

/** Clients that scan and register webhooks until stopped; returns the number of webhooks. */
function startLoad(url: string, key: string, receiver: HttpsReceiver) {
  let isOver = false;
  let webhooks = 0;
  const scanning = (async () => {
    while (!isOver) {
      assert.equal((await scanLeak(url, key)).status, 403);
      await delay(100);
    }
  })();
  const registering = (async () => {
    while (!isOver) {
      if (webhooks < MOST_WEBHOOKS) {
        await createWebhook(url, key, receiver);
        webhooks += 1;
      }
      await delay(400);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await Promise.all([scanning, registering]);
      return webhooks;
    },
  };
}

describe('probity-server keys rotate', { concurrency: 2 }, () => {
  it('keys rotate replaces the key file under a running server and survives kill -9 at any moment', async (t) => {
    const receiver = await startHttpsReceiver({ test: t });
    const path = join(temporaryFolder(t, 'disk').path, 'probity.db');
    const location = `sqlite:${path}`;
    const { api_key: key } = await bootstrap(location, 'enterprise', KEY_IN_FILE);
    const server = await serveProcess(t, location, { receiver, env: KEY_IN_FILE });
    const oldKey = readFileSync(`${path}.key`, 'utf8');
    copyFileSync(`${path}.key`, `${path}.old`);
    const load = startLoad(server.url, key, receiver);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = await spawnServer(t, ['keys', 'rotate', '--database', location], KEY_IN_FILE);
      await delay(250 + Math.random() * 500);
      await program.kill9();
    }
    const { key_id: keyId, retired_key_ids: retired } = await rotate(t, location, KEY_IN_FILE);
    assert.match(keyId, /^[0-9a-f]{8}$/);
    assert.ok(retired.length <= 1);
    const webhooks = await load.stop();
    assert.ok(webhooks > 0);
    await assertDelivers(server.url, key, receiver, webhooks);
    const newKey = readFileSync(`${path}.key`, 'utf8');
    assert.equal(newKey.trim().split('\n').length, 1);
    assert.notEqual(newKey, oldKey);
    const kept = readdirSync(dirname(path)).filter((name) =>
      /^probity\.db\.key\.\w{8}$/.test(name),
    );
    const keptKeys = kept.map((name) => readFileSync(join(dirname(path), name), 'utf8'));
    assert.ok(keptKeys.includes(oldKey), 'the key of earlier backups is kept');
    for (const name of kept) {
      assert.equal(statSync(join(dirname(path), name)).mode & 0o777, 0o600);
    }
    assert.equal(await server.program.terminate(), 0);
    assert.doesNotMatch(server.program.stdout, /which is not configured/);

    const next = await serveProcess(t, location, { receiver, env: KEY_IN_FILE });
    await assertDelivers(next.url, key, receiver, webhooks);
    await next.program.terminate();
    copyFileSync(`${path}.old`, `${path}.key`);
    const refused = run(t, ['serve', '--port', '0', '--database', location], KEY_IN_FILE);
    assert.equal(await refused.exited, 1);
    assert.match(
      refused.stderr,
      /sealed under the encryption key \w{8}, not under \w{8}, .*restore/,
    );
  });

  for (const database of sampleTargets(emptyDatabases)) {
    it(`keys rotate moves secrets to the first key of the environment on ${database.name}`, async (t) => {
      const receiver = await startHttpsReceiver({ test: t });
      const location = await database.create(t);
      const { api_key: key } = await bootstrap(location, 'enterprise', {
        PROBITY_ENCRYPTION_KEY: OLD,
      });
      const serveWith = (keys: string) =>
        serveProcess(t, location, { receiver, env: { PROBITY_ENCRYPTION_KEY: keys } });
      const first = await serveWith(OLD);
      await createWebhook(first.url, key, receiver);
      await first.program.terminate();
      const reversed = run(t, ['keys', 'rotate', '--database', location], {
        PROBITY_ENCRYPTION_KEY: `${OLD},${NEW}`,
      });
      assert.equal(await reversed.exited, 1);
      assert.deepEqual(
        [reversed.stdout, reversed.stderr],
        [
          '',
          'probity-server: Nothing was rotated: the first key is the one in use already. ' +
            'Put the new key first.\n',
        ],
      );
      const both = await serveWith(`${NEW},${OLD}`);
      await createWebhook(both.url, key, receiver);
      const report = await rotate(t, location, { PROBITY_ENCRYPTION_KEY: `${NEW},${OLD}` });
      assert.deepEqual([report.resealed.webhook_secrets, report.resealed.audit_keys], [1, 1]);
      assert.equal(report.retired_key_ids.length, 1);
      await assertDelivers(both.url, key, receiver, 2);
      await both.program.terminate();
      const last = await serveWith(NEW);
      await assertDelivers(last.url, key, receiver, 2);
      await last.program.terminate();
      const verified = run(t, ['audit', 'verify', '--database', location], {
        PROBITY_ENCRYPTION_KEY: NEW,
      });
      assert.equal(await verified.exited, 0);
      assert.match(verified.stdout, /: intact, 3 entries, keyed; last entry .*\n$/);
      const args = ['serve', '--port', '0', '--database', location];
      const refused = run(t, args, { PROBITY_ENCRYPTION_KEY: OLD });
      assert.equal(await refused.exited, 1);
      assert.match(refused.stderr, /sealed under .*set PROBITY_ENCRYPTION_KEY to that key\n$/);
    });
  }

  it('keys rotate with one key in the environment names the setting to change', async (t) => {
    const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
    await bootstrap(location);
    const program = run(t, ['keys', 'rotate', '--database', location]);
    assert.equal(await program.exited, 1);
    assert.match(
      program.stderr,
      /^probity-server: PROBITY_ENCRYPTION_KEY: must hold .* NEW,PRESENT .*\n$/,
    );
  });
});

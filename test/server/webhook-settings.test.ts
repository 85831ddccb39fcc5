import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startHttpsReceiver, temporaryFolder, until } from '@probity/test-support';
import { bootstrap, call, createWebhook, run, scanLeak, serveProcess } from './support.ts';

const TWO_ATTEMPTS = {
  delaysMs: [10],
  maxAttempts: 2,
  disableAfterFailures: 3,
  maxAgeMs: 60_000,
};

describe('PROBITY_WEBHOOKS_RETRY', () => {
  it('a schedule in a file sets the number of attempts, and when a webhook is disabled', async (t) => {
    const folder = temporaryFolder(t).path;
    const file = join(folder, 'retry.json');
    writeFileSync(file, JSON.stringify(TWO_ATTEMPTS));
    const database = `sqlite:${folder}/probity.db`;
    const { api_key: key } = await bootstrap(database);
    const receiver = await startHttpsReceiver({ test: t, handler: () => ({ status: 500 }) });
    const env = { PROBITY_WEBHOOKS_RETRY: file };
    const { url } = await serveProcess(t, database, { env, receiver });
    const { id } = await createWebhook(url, key, receiver);
    await scanLeak(url, key);
    const deliveries = `${url}/api/v1/webhooks/${id}/deliveries?status=failed`;
    await until(async () => (await call(deliveries, key)).body.total === 2, 'both events failed');
    const { data } = (await call(deliveries, key)).body;
    assert.deepEqual(
      data.map(({ attempts }: { attempts: unknown[] }) => attempts.length),
      [2, 2],
    );
    assert.equal(receiver.requests.length, 4);
    const webhook = (await call(`${url}/api/v1/webhooks/${id}`, key)).body.data;
    assert.equal(webhook.active, true);
  });

  it('a schedule that is no schedule stops the server before it listens', async (t) => {
    const folder = temporaryFolder(t).path;
    const file = join(folder, 'retry.json');
    writeFileSync(file, JSON.stringify({ ...TWO_ATTEMPTS, maxAttempts: 0 }));
    const args = ['serve', '--port', '0', '--database', `sqlite:${folder}/probity.db`];
    for (const [value, message] of [
      [file, /PROBITY_WEBHOOKS_RETRY: .*retry\.json: maxAttempts must be a positive integer/],
      [
        'standrad',
        /PROBITY_WEBHOOKS_RETRY: must be standard, resilient or the path of a JSON file/,
      ],
    ] as const) {
      const program = run(t, args, { PROBITY_WEBHOOKS_RETRY: value });
      assert.equal(await program.exited, 1);
      assert.match(program.stderr, message);
      assert.equal(program.stderr.trim().split('\n').length, 1);
    }
  });
});

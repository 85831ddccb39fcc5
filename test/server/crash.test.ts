import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpsReceiver, Program } from '@probity/test-support';
import { startHttpsReceiver } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import type { RunningServer } from './support.ts';
import {
  bootstrap,
  call,
  createWebhook,
  emptyDatabases,
  scanLeak,
  serveProcess,
} from './support.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? roundsOf(8));
const CLIENTS = 8;
const MOST_SCANS_PER_LIFE = 30;
const LONGEST_DELAY_MS = 30;
const SETTLE_TIMEOUT_MS = 300_000 + ROUNDS * 2_000;

/** Scans until the server is killed; records the scans that were answered. */
async function scanUntilKilled(url: string, key: string, ledger: Set<string>): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await scanLeak(url, key);
      assert.equal(status, 403);
      ledger.add(body.governance.scan_id);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

/** Kills the server after a random number of answered scans and a random delay. */
async function runAndKill(
  server: RunningServer<Program>,
  key: string,
  ledger: Set<string>,
): Promise<void> {
  const enough = ledger.size + 1 + Math.floor(Math.random() * MOST_SCANS_PER_LIFE);
  const clients = Array.from({ length: CLIENTS }, () => scanUntilKilled(server.url, key, ledger));
  while (ledger.size < enough) await delay(1);
  await delay(Math.random() * LONGEST_DELAY_MS);
  await server.program.kill9();
  await Promise.all(clients);
}

function scansDelivered(receiver: HttpsReceiver): Set<string> {
  const events = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()));
  return new Set(events.flatMap(({ data }) => data.scanId ?? []));
}

async function alertsOf(url: string, key: string): Promise<Map<string, string>> {
  const alerts = new Map<string, string>();
  for (let offset = 0; ; offset += 200) {
    const { body } = await call(`${url}/api/v1/alerts?limit=200&offset=${offset}`, key);
    for (const { id, scanId } of body.data) alerts.set(scanId, id);
    if (!body.has_more) return alerts;
  }
}

/** State of the webhook and its deliveries, to diagnose missing events. */
async function describeWebhook(url: string, key: string, id: string): Promise<string> {
  const webhook = await call(`${url}/api/v1/webhooks/${id}`, key);
  const counts = ['pending', 'delivered', 'failed', 'held'].map(async (status) => {
    const path = `/api/v1/webhooks/${id}/deliveries?limit=1&status=${status}`;
    const { body } = await call(url + path, key);
    const last = body.data[0]?.attempts.at(-1);
    return `${body.total} ${status} ${last ? JSON.stringify(last) : ''}`;
  });
  const { active, disabledReason } = webhook.body.data;
  return `active ${active}, ${disabledReason}; ${(await Promise.all(counts)).join('; ')}`;
}

async function killRepeatedly(t: TestContext, location: string): Promise<void> {
  const receiver = await startHttpsReceiver({ test: t });
  const { api_key: key } = await bootstrap(location);
  const ledger = new Set<string>();
  const first = await serveProcess(t, location, { receiver });
  const { id: webhookId } = await createWebhook(first.url, key, receiver);
  await runAndKill(first, key, ledger);
  for (let round = 1; round < ROUNDS; round += 1) {
    await runAndKill(await serveProcess(t, location, { receiver }), key, ledger);
  }
  const last = await serveProcess(t, location, { receiver });
  const alerts = await alertsOf(last.url, key);
  const missing = () => {
    // Once for all scans: this process is also the receiver and needs time to answer.
    const delivered = scansDelivered(receiver);
    return [...ledger].filter((scanId) => !delivered.has(scanId));
  };
  const until = Date.now() + SETTLE_TIMEOUT_MS;
  while (missing().length > 0 && Date.now() < until) await delay(500);

  t.diagnostic(`${ledger.size} scans acknowledged, ${receiver.requests.length} deliveries`);
  t.diagnostic(await describeWebhook(last.url, key, webhookId));
  assert.ok(ledger.size > 0, 'no scan was acknowledged in any round');
  assert.deepEqual(missing(), [], 'events of acknowledged scans that never arrived');
  assert.deepEqual(
    [...ledger].filter((scanId) => !alerts.has(scanId)),
    [],
    'acknowledged scans without an alert',
  );
  await last.program.terminate();
}

describe(`${ROUNDS} rounds of kill -9`, { concurrency: true }, () => {
  for (const database of emptyDatabases) {
    it(`kill -9 loses no event of an acknowledged scan on ${database.name}`, async (t) => {
      await killRepeatedly(t, await database.create(t, 'disk'));
    });
  }
});

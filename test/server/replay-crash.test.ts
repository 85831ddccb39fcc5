import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createIds } from '@probity/core';
import { startHttpsReceiver } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import { openDatabase } from './open-database.ts';
import { bootstrap, call, createWebhook, emptyDatabases, serveProcess } from './support.ts';

const EVENTS = roundsOf(2_000);
const BATCH = 500;
const KILLS = roundsOf(4);
const PROCESSES = 2;
const SETTLE_TIMEOUT_MS = 240_000;

/** Stores events that were handed to no webhook; returns their ids. */
async function storeEvents(location: string, organizationId: string): Promise<string[]> {
  const database = openDatabase(location);
  const ids = createIds();
  const stored: string[] = [];
  const data = { alertId: 'alr_1', severity: 'low', type: 'pii', message: 'An event' };
  while (stored.length < EVENTS) {
    await database.transaction(async (session) => {
      const kernel = database.kernel(session);
      for (let index = 0; index < BATCH; index += 1) {
        const id = ids.next('evt');
        const createdAt = new Date(Date.now() - 60_000);
        const base = { id, organizationId, type: 'alert.created', data, requestId: null };
        await kernel.insertEvent({ ...base, createdAt });
        stored.push(id);
      }
    });
  }
  await database.close();
  return stored;
}

async function killDuringReplay(t: TestContext, location: string, processes: number) {
  const receiver = await startHttpsReceiver({ test: t });
  const { api_key: key, organization_id: organizationId } = await bootstrap(location);
  const start = () =>
    Promise.all(Array.from({ length: processes }, () => serveProcess(t, location, { receiver })));
  let servers = await start();
  const url = () => servers[0]?.url ?? assert.fail();
  const stored = await storeEvents(location, organizationId);
  const { id } = await createWebhook(url(), key, receiver);
  const path = `/api/v1/webhooks/${id}/replay`;
  const body = { since: '2026-01-01T00:00:00Z', types: ['alert.created'] };
  const { status, body: answer } = await call(url() + path, key, 'POST', body);
  assert.equal(status, 202);
  const seen = () => {
    const ids = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).id);
    return new Set<string>(ids);
  };
  for (let round = 1; round <= KILLS; round += 1) {
    const enough = (EVENTS / (KILLS + 1)) * round;
    while (receiver.requests.length < enough) await delay(20);
    const [first, ...others] = servers;
    await first?.program.kill9();
    servers = [...others, await serveProcess(t, location, { receiver })];
  }
  const read = async () => (await call(`${url()}${path}s/${answer.data.id}`, key)).body.data;
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  let replay = await read();
  while (replay.status === 'running' && Date.now() < deadline) {
    await delay(250);
    replay = await read();
  }
  const { total, done } = replay;
  assert.deepEqual([replay.status, total, done], ['completed', EVENTS, EVENTS]);
  const delivered = seen();
  t.diagnostic(`${stored.length} events, ${receiver.requests.length} requests`);
  assert.deepEqual(
    stored.filter((each) => !delivered.has(each)),
    [],
    'events that were not sent',
  );
  // Those in progress in a killed process are sent again, 48 of a tenant at most.
  assert.ok(
    receiver.requests.length <= EVENTS + KILLS * 48,
    `${receiver.requests.length} requests`,
  );
  for (const { program } of servers) await program.terminate();
}

describe('kill -9 during a replay', { concurrency: true }, () => {
  for (const database of emptyDatabases) {
    const processes = database.name === 'sqlite' ? 1 : PROCESSES;
    const count = processes === 1 ? 'one process' : `${processes} processes`;
    it(`sends every event at least once with ${count} on ${database.name}`, async (t) => {
      await killDuringReplay(t, await database.create(t, 'disk'), processes);
    });
  }
});

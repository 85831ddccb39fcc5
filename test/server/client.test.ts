import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { promisify } from 'node:util';
import * as client from '@probity/client';
import * as webhooks from '@probity/client/webhooks';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { journey } from './client-journey.ts';
import { CLIENT, EXPECTED, PROGRAM, serveOn } from './client-world.ts';
import { call, emptyDatabases } from './support.ts';

for (const database of sampleTargets(emptyDatabases)) {
  test(`the client scans, lists, changes and fails as documented, on ${database.name}`, async (t) => {
    const served = await serveOn(t, await database.create(t));
    assert.deepEqual(await journey({ client, webhooks }, served), EXPECTED);
  });
}

/** A proxy that drops the answer of the first request of each Idempotency-Key, after the effect. */
async function startDropper(t: TestContext, target: string) {
  const seen = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const kept = ['authorization', 'content-type', 'idempotency-key'];
    const entries = kept.map((name) => [name, headers[name]] as const);
    const sent = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    const answer = await fetch(target + url, {
      method,
      headers: sent as Record<string, string>,
      ...body,
    });
    const text = await answer.text();
    const key = String(headers['idempotency-key'] ?? '');
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (key !== '' && seen.get(key) === 1) return void response.destroy();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const WITHOUT_WAITS = {
  now: Date.now,
  random: Math.random,
  wait: async () => undefined,
  deadline: () => () => undefined,
};

for (const database of sampleTargets(emptyDatabases)) {
  test(`a change whose answer is lost is made once, on ${database.name}`, async (t) => {
    const { url, apiKey, organizationId } = await serveOn(t, await database.create(t));
    const dropper = await startDropper(t, url);
    const probity = client.createClient({ baseUrl: dropper.url, apiKey, timing: WITHOUT_WAITS });
    const hook = { url: 'https://hooks.acme.example/hook', events: ['alert.created'] } as const;
    const webhook = await probity.webhooks.create(hook);
    const rotated = await probity.webhooks.rotateSecret(webhook.id);
    assert.notEqual(rotated.secret, webhook.secret);
    const key = await probity.organizations.createApiKey(organizationId, { name: 'ci' });
    const { id: deliveryId } = await probity.webhooks.test(webhook.id);
    await probity.organizations.revokeApiKey(organizationId, key.id);
    await assert.rejects(probity.governance.scan({ response: 'SSN 536-22-8145' }), {
      code: 'PII_DETECTED',
    });
    assert.deepEqual([...dropper.seen.values()], [2, 2, 2, 2, 2, 2]);
    const deliveries = await probity.webhooks.listDeliveries(webhook.id).all();
    const tests = deliveries.filter((each) => each.test).map(({ id }) => id);
    assert.deepEqual(tests, [deliveryId]);
    for (const path of ['/api/v1/webhooks', '/api/v1/alerts'])
      assert.equal((await call(url + path, apiKey)).body.total, 1, path);
    const log = await probity.organizations.listAuditLog(organizationId).all();
    const actions = log.map(({ action }) => action);
    for (const action of ['webhook.created', 'webhook.secret_rotated', 'api_key.created']) {
      assert.equal(actions.filter((each) => each === action).length, 1, `${action}: ${actions}`);
    }
  });
}

/** An evaluation with a result that passes and one that fails: a summary and a failure. */
function evaluation() {
  const result = (success: boolean) => ({
    provider: { id: 'local:desk' },
    success,
    score: success ? 1 : 0,
    failureReason: success ? 0 : 1,
    gradingResult: { pass: success, score: success ? 1 : 0, componentResults: [] },
    testCase: {},
    vars: {},
  });
  const results = [result(true), result(false)];
  const stats = { successes: 1, failures: 1, errors: 0 };
  return { version: 3, timestamp: '2026-10-04T08:15:30.250Z', results, stats } as const;
}

for (const database of sampleTargets(emptyDatabases)) {
  test(`an import whose answer is lost says what it has created, on ${database.name}`, async (t) => {
    const { url, apiKey } = await serveOn(t, await database.create(t));
    const dropper = await startDropper(t, url);
    const probity = client.createClient({ baseUrl: dropper.url, apiKey, timing: WITHOUT_WAITS });
    const body = { evaltoolOutput: evaluation(), labels: { run: 'ci-1' } };
    const first = await probity.compliance.importEvaltool(body);
    assert.deepEqual([...dropper.seen.values()], [2]);
    assert.deepEqual([first.evidenceCreated, first.evidenceSkipped], [2, 0]);
    const again = await probity.compliance.importEvaltool(body);
    assert.deepEqual([again.evidenceCreated, again.evidenceSkipped], [0, 2]);
    const found = await probity.compliance.listEvidence({ label: 'run:ci-1' }).all();
    assert.deepEqual(found.map(({ id }) => id).sort(), [...first.evidenceIds].sort());
  });

  test(`calls at once with one key are one, on ${database.name}`, async (t) => {
    const { url, apiKey } = await serveOn(t, await database.create(t));
    const clients = Array.from({ length: 6 }, () =>
      client.createClient({ baseUrl: url, apiKey, retries: 8 }),
    );
    const hook = { url: 'https://hooks.acme.example/hook', events: ['alert.created'] } as const;
    const webhooks = await Promise.all(
      clients.map((each) => each.webhooks.create(hook, { idempotencyKey: 'deploy-7' })),
    );
    assert.equal(new Set(webhooks.map(({ id }) => id)).size, 1);
    assert.equal(new Set(webhooks.map(({ secret }) => secret)).size, 1);
    assert.equal((await clients[0]?.webhooks.list().page())?.total, 1);
  });
}

test('the client calls an application that embeds Probity, as its own users do', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate: ({ headers }) =>
      headers['x-user'] === 'ann'
        ? { organizationId: 'org_1', memberId: 'ann', role: 'owner' }
        : null,
    capabilities: [governance()],
  });
  await probity.migrate();
  await probity.start();
  const server = createServer(probity.node);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await probity.stop();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const paths = { general: '/probity' };
  const headers = { 'X-User': 'ann' };
  const embedded = client.createClient({ baseUrl, paths, headers });
  assert.equal((await embedded.governance.scan({ response: 'All is well.' })).verdict, 'allowed');
  await assert.rejects(embedded.governance.scan({ response: 'SSN 536-22-8145' }), {
    code: 'PII_DETECTED',
  });
  assert.equal((await embedded.alerts.list().all()).length, 1);
  const stranger = client.createClient({ baseUrl, paths });
  await assert.rejects(stranger.alerts.list().page(), client.AuthenticationError);
});

test('the client runs in a process of its own', async (t) => {
  const served = await serveOn(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const args = [PROGRAM, CLIENT, JSON.stringify(served)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.deepEqual(JSON.parse(stdout), EXPECTED);
});

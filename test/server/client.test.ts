import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { promisify } from 'node:util';
import * as client from '@probity/client';
import * as webhooks from '@probity/client/webhooks';
import { temporaryFolder } from '@probity/test-support';
import { journey } from './client-journey.ts';
import { CLIENT, EXPECTED, PROGRAM, serveOn } from './client-world.ts';
import { call, emptyDatabases } from './support.ts';

for (const database of emptyDatabases) {
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

for (const database of emptyDatabases) {
  test(`a change whose answer is lost is made once, on ${database.name}`, async (t) => {
    const { url, apiKey, organizationId } = await serveOn(t, await database.create(t));
    const dropper = await startDropper(t, url);
    const timing = {
      now: Date.now,
      random: Math.random,
      wait: async () => undefined,
      deadline: () => () => undefined,
    };
    const probity = client.createClient({ baseUrl: dropper.url, apiKey, timing });
    const hook = { url: 'https://hooks.acme.example/hook', events: ['alert.created'] } as const;
    const webhook = await probity.webhooks.create(hook);
    const rotated = await probity.webhooks.rotateSecret(webhook.id);
    assert.notEqual(rotated.secret, webhook.secret);
    const key = await probity.organizations.createApiKey(organizationId, { name: 'ci' });
    const member = await probity.organizations.addMember(organizationId, {
      email: 'bea@acme.example',
      role: 'member',
    });
    await probity.organizations.revokeApiKey(organizationId, key.id);
    await assert.rejects(probity.governance.scan({ response: 'SSN 536-22-8145' }), {
      code: 'PII_DETECTED',
    });
    assert.ok(member);
    assert.deepEqual([...dropper.seen.values()], [2, 2, 2, 2, 2, 2]);
    const lists = [
      `/api/v1/webhooks`,
      `/api/v1/alerts`,
      `/v1/organizations/${organizationId}/invitations`,
    ];
    for (const path of lists) assert.equal((await call(url + path, apiKey)).body.total, 1, path);
    const log = await probity.organizations.listAuditLog(organizationId).all();
    const actions = log.map(({ action }) => action);
    for (const action of ['webhook.created', 'webhook.secret_rotated', 'api_key.created']) {
      assert.equal(actions.filter((each) => each === action).length, 1, `${action}: ${actions}`);
    }
  });
}

test('the client runs in a process of its own', async (t) => {
  const served = await serveOn(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const args = [PROGRAM, CLIENT, JSON.stringify(served)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.deepEqual(JSON.parse(stdout), EXPECTED);
});

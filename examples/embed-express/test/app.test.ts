import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Principal } from '@probity/core';
import { createApp } from '../src/app.ts';

const user: Principal = {
  organizationId: 'org_host',
  memberId: 'user_1',
  keyId: 'session_1',
  role: 'member',
  plan: 'enterprise',
};

async function listen(t: TestContext): Promise<string> {
  const app = createApp(async (token) => (token === 'session-of-the-host' ? user : null));
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function scan(url: string, response: string, token: string): Promise<Response> {
  return fetch(`${url}/probity/governance/scan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ response }),
  });
}

test('a leak is blocked under the prefix, for a user of the host', async (t) => {
  const url = await listen(t);
  const blocked = await scan(url, 'Her SSN is 536-22-8145.', 'session-of-the-host');
  assert.equal(blocked.status, 403);
  const { error, governance } = (await blocked.json()) as {
    error: { code: string };
    governance: { verdict: string };
  };
  assert.equal(error.code, 'PII_DETECTED');
  assert.equal(governance.verdict, 'blocked');
  const allowed = await scan(url, 'The parcel leaves tomorrow.', 'session-of-the-host');
  assert.equal(allowed.status, 200);
});

test('an unknown token is refused in the form of the API', async (t) => {
  const response = await scan(await listen(t), 'Hello.', 'somebody-else');
  assert.equal(response.status, 401);
  assert.equal(
    ((await response.json()) as { error: { code: string } }).error.code,
    'INVALID_API_KEY',
  );
});

test("the host's own pages stay as they are", async (t) => {
  const response = await fetch(await listen(t));
  assert.equal(await response.text(), 'The page of the host.');
  assert.notEqual(response.headers.get('server'), 'Probity-API/v1');
});

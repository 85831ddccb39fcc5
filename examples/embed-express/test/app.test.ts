import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqliteDatabase } from '@probity/core/sql';
import { temporaryFolder } from '@probity/test-support';
import { createApp } from '../src/app.ts';
import { addCompany } from '../src/host.ts';

const PREFIX = '/probity/api';
const TOKEN = 'session-of-ann';

interface Host {
  readonly url: string;
  readonly database: SqlDatabase;
}

/** The host on a separate SQLite file, with a company and its user. */
async function startHost(t: TestContext): Promise<Host> {
  const database = createSqliteDatabase({ path: join(temporaryFolder(t).path, 'host.db') });
  t.after(() => database.close());
  const app = await createApp(database);
  await addCompany(database, { id: 'acme', name: 'Acme' }, { id: 'ann', token: TOKEN });
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, database };
}

function scan({ url }: Host, response: string, token = TOKEN): Promise<Response> {
  return fetch(`${url}${PREFIX}/governance/scan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ response }),
  });
}

async function tablesOf({ database }: Host): Promise<string[]> {
  const { rows } = await database.reader.execute<{ name: string }>(
    "select name from sqlite_master where type = 'table'",
    [],
  );
  return rows.map(({ name }) => name);
}

test("a scan under the host's prefix blocks a leak for a user of the host", async (t) => {
  const host = await startHost(t);
  const blocked = await scan(host, 'Her SSN is 536-22-8145.');
  assert.equal(blocked.status, 403);
  const { error, governance } = (await blocked.json()) as {
    error: { code: string };
    governance: { verdict: string };
  };
  assert.equal(error.code, 'PII_DETECTED');
  assert.equal(governance.verdict, 'blocked');
  const allowed = await scan(host, 'Your order arrives on Monday.');
  assert.equal(allowed.status, 200);
});

test("the scan and its alert are stored in the host's file for the host's company", async (t) => {
  const host = await startHost(t);
  await scan(host, 'Her SSN is 536-22-8145.');
  for (const table of ['scans', 'alerts']) {
    const { rows } = await host.database.reader.execute(`select organization_id from ${table}`, []);
    assert.deepEqual(rows, [{ organization_id: 'acme' }], table);
  }
  const answer = await fetch(`${host.url}${PREFIX}/alerts`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(((await answer.json()) as { total: number }).total, 1);
});

test('the database has the tables of the host, core and governance, and none of the platform', async (t) => {
  const tables = await tablesOf(await startHost(t));
  for (const name of ['companies', 'users', 'tenants', 'scans', 'alerts']) {
    assert.ok(tables.includes(name), `${name} in ${tables}`);
  }
  for (const name of ['organizations', 'members', 'api_keys', 'sessions', 'invoices', 'webhooks']) {
    assert.ok(!tables.includes(name), `${name} in ${tables}`);
  }
});

test('an unknown token is rejected in the error format of the API', async (t) => {
  const response = await scan(await startHost(t), 'Hello.', 'unknown-session');
  assert.equal(response.status, 401);
  assert.equal(
    ((await response.json()) as { error: { code: string } }).error.code,
    'INVALID_API_KEY',
  );
});

test("the host's own pages are still served", async (t) => {
  const { url } = await startHost(t);
  const response = await fetch(url);
  assert.equal(await response.text(), 'The page of the host.');
  assert.notEqual(response.headers.get('server'), 'Probity-API/v1');
  assert.equal((await fetch(`${url}${PREFIX}/nothing`)).status, 404);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

/** The part of a SQL database that the tests of a host use. */
export interface HostDatabase {
  readonly reader: {
    execute(sql: string, parameters: readonly unknown[]): Promise<{ readonly rows: unknown[] }>;
  };
  close(): Promise<void>;
}

/** An application into which the governance API is mounted. */
export interface EmbeddingHost<Database extends HostDatabase> {
  /** The path under which the API is mounted. */
  readonly prefix: string;
  openDatabase(path: string): Database;
  createApp(database: Database): Promise<{ listen(port: number, address: string): Server }>;
  addCompany(
    database: Database,
    company: { readonly id: string; readonly name: string },
    user: { readonly id: string; readonly token: string },
  ): Promise<void>;
}

const TOKEN = 'session-of-ann';

interface StartedHost {
  readonly url: string;
  /** The address of the API. */
  readonly api: string;
  readonly database: HostDatabase;
}

/** The host on a separate SQLite file, with a company and its user. */
async function startHost<Database extends HostDatabase>(
  t: TestContext,
  { prefix, openDatabase, createApp, addCompany }: EmbeddingHost<Database>,
): Promise<StartedHost> {
  const database = openDatabase(join(temporaryFolder(t).path, 'host.db'));
  t.after(() => database.close());
  const app = await createApp(database);
  await addCompany(database, { id: 'acme', name: 'Acme' }, { id: 'ann', token: TOKEN });
  const server = app.listen(0, '127.0.0.1');
  t.after(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, api: `${url}${prefix}`, database };
}

function scan({ api }: StartedHost, response: string, token = TOKEN): Promise<Response> {
  return fetch(`${api}/governance/scan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ response }),
  });
}

async function tablesOf({ database }: StartedHost): Promise<string[]> {
  const { rows } = await database.reader.execute(
    "select name from sqlite_master where type = 'table'",
    [],
  );
  return rows.map((row) => (row as { name: string }).name);
}

/** Tests that hold for every host that mounts the governance API, whatever its framework. */
export function describeEmbeddingHost<Database extends HostDatabase>(
  host: EmbeddingHost<Database>,
): void {
  test("a scan under the host's prefix blocks a leak for a user of the host", async (t) => {
    const started = await startHost(t, host);
    const blocked = await scan(started, 'Her SSN is 536-22-8145.');
    assert.equal(blocked.status, 403);
    const { error, governance } = (await blocked.json()) as {
      error: { code: string };
      governance: { verdict: string };
    };
    assert.equal(error.code, 'PII_DETECTED');
    assert.equal(governance.verdict, 'blocked');
    const allowed = await scan(started, 'Your order arrives on Monday.');
    assert.equal(allowed.status, 200);
  });

  test("the scan and its alert are stored in the host's file for the host's company", async (t) => {
    const started = await startHost(t, host);
    await scan(started, 'Her SSN is 536-22-8145.');
    for (const table of ['probity_scans', 'probity_alerts']) {
      const sql = `select organization_id from ${table}`;
      const { rows } = await started.database.reader.execute(sql, []);
      assert.deepEqual(rows, [{ organization_id: 'acme' }], table);
    }
    const answer = await fetch(`${started.api}/alerts`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    assert.equal(((await answer.json()) as { total: number }).total, 1);
  });

  test('the database has the tables of the host, core and governance, and none of the platform', async (t) => {
    const tables = await tablesOf(await startHost(t, host));
    for (const name of [
      'companies',
      'users',
      'probity_tenants',
      'probity_scans',
      'probity_alerts',
    ]) {
      assert.ok(tables.includes(name), `${name} in ${tables}`);
    }
    const foreign = ['organizations', 'members', 'api_keys', 'sessions', 'invoices', 'webhooks'];
    for (const name of foreign)
      assert.ok(!tables.includes(`probity_${name}`), `${name} in ${tables}`);
  });

  test('an unknown token is rejected in the error format of the API', async (t) => {
    const response = await scan(await startHost(t, host), 'Hello.', 'unknown-session');
    assert.equal(response.status, 401);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, 'INVALID_API_KEY');
  });

  test("the host's own pages are still served", async (t) => {
    const { url, api } = await startHost(t, host);
    const response = await fetch(url);
    assert.equal(await response.text(), 'The page of the host.');
    assert.notEqual(response.headers.get('server'), 'Probity-API/v1');
    assert.equal((await fetch(`${api}/nothing`)).status, 404);
  });
}

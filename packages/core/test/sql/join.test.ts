import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import {
  Kysely,
  MssqlAdapter,
  MysqlAdapter,
  PostgresAdapter,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import pg from 'pg';
import { verifyAuditChain } from '../../src/audit/audit-log.ts';
import { OUTBOX_QUEUE } from '../../src/events/outbox.ts';
import { dialectOf, joinKysely, joinPg, joinSqlite } from '../../src/sql/join.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { countJobs, newAuditEntry, newEvent } from '../../src/testing/records.ts';
import { hostConnections } from '../../src/testing/sql/host-transactions.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sqlTargets } from '../support.ts';

async function createWorld(t: TestLifetime, target: DatabaseTarget, name: string) {
  const opened = await target.open();
  t.after(opened.dispose);
  assert.ok(opened.kind === 'sql');
  const { database, url } = opened;
  const { organizationId } = await createTestTenant(opened);
  await database.transaction((session) =>
    session.execute('create table orders (id text primary key)', []),
  );
  const host = hostConnections(url).find((each) => each.name === name);
  assert.ok(host);
  const reads = database.kernel(database.reader);
  return {
    database,
    organizationId,
    host,
    reads,
    async orders() {
      const { rows } = await database.reader.execute<{ id: string }>('select id from orders', []);
      return rows.map(({ id }) => id);
    },
  };
}

const cases = sqlTargets.flatMap((target) =>
  (target.name === 'sqlite' ? ['kysely', 'better-sqlite3'] : ['kysely', 'pg']).map(
    (name) => [target, name] as const,
  ),
);

for (const [target, name] of cases) {
  const title = `${target.name} by ${name}`;

  test(`${title}: writes through a joined transaction commit with the host's own row`, async (t) => {
    const { database, organizationId, host, reads, orders } = await createWorld(t, target, name);
    const event = newEvent(organizationId);
    const heard: string[] = [];
    database.jobSignal.subscribe(OUTBOX_QUEUE, () => heard.push('outbox'));
    const transaction = await host.begin();
    const tx = database.kernel(transaction.session);
    await transaction.execute("insert into orders (id) values ('ord_1')");
    await tx.outbox.append(event);
    await tx.recordAudit(newAuditEntry(organizationId));
    await tx.recordAudit(newAuditEntry(organizationId));
    assert.deepEqual(await tx.findEvent(event.id), event);
    assert.deepEqual([await reads.findEvent(event.id), heard], [null, []]);
    await transaction.commit();
    assert.deepEqual(await reads.findEvent(event.id), event);
    assert.deepEqual([await orders(), heard], [['ord_1'], ['outbox']]);
    const { end: _, ...verification } = await verifyAuditChain(database, organizationId);
    assert.deepEqual(verification, {
      organizationId,
      entries: 2,
      fault: null,
      keyedFrom: null,
    });
  });

  test(`${title}: a host's rollback takes everything along that joined its transaction`, async (t) => {
    const { database, organizationId, host, reads, orders } = await createWorld(t, target, name);
    const event = newEvent(organizationId);
    const transaction = await host.begin();
    await transaction.execute("insert into orders (id) values ('ord_1')");
    await database.kernel(transaction.session).outbox.append(event);
    await transaction.rollback();
    assert.equal(await reads.findEvent(event.id), null);
    assert.deepEqual([await orders(), await countJobs(database, OUTBOX_QUEUE)], [[], 0]);
  });

  test(`${title}: a joined session refuses work after the commit`, async (t) => {
    const { database, organizationId, host, reads } = await createWorld(t, target, name);
    const transaction = await host.begin();
    transaction.session.committed();
    const event = newEvent(organizationId);
    const late = database.kernel(transaction.session).outbox.append(event);
    await assert.rejects(late, /The transaction has ended/);
    await transaction.commit();
    assert.equal(await reads.findEvent(event.id), null);
  });

  test(`${title}: a tenant that does not exist is a conflict within a joined transaction`, async (t) => {
    const { database, host } = await createWorld(t, target, name);
    const transaction = await host.begin();
    const { outbox } = database.kernel(transaction.session);
    await assert.rejects(outbox.append(newEvent('org_none')), { kind: 'conflict' });
    await transaction.rollback();
  });
}

test('a joined SQLite connection that returns integers as bigint stores and reads the same', async (t) => {
  const sqlite = sqlTargets.find((target) => target.name === 'sqlite');
  assert.ok(sqlite);
  const opened = await sqlite.open();
  t.after(opened.dispose);
  assert.ok(opened.kind === 'sql');
  const { database, url } = opened;
  const { organizationId } = await createTestTenant(opened);
  const connection = openSqliteFile(url.replace('sqlite:', ''), 1_000);
  t.after(() => connection.close());
  (connection as unknown as { defaultSafeIntegers(on: boolean): void }).defaultSafeIntegers(true);
  connection.exec('BEGIN IMMEDIATE');
  const tx = database.kernel(joinSqlite(connection));
  const event = newEvent(organizationId);
  await tx.outbox.append(event);
  assert.deepEqual(await tx.findEvent(event.id), event);
  connection.exec('ROLLBACK');
});

test('joining refuses a pool, a Kysely and a connection without a transaction', async (t) => {
  const pool = new pg.Pool({ max: 1 });
  assert.throws(() => joinPg(pool as never), /needs a client, not a pool/);
  const native = { query() {}, getTypeParser() {} };
  assert.throws(() => joinPg(native), /needs a Client of pg; pg-native is not supported/);
  const connection = openSqliteFile(':memory:', 0);
  t.after(() => connection.close());
  assert.throws(() => joinSqlite(connection), /joinSqlite needs an open transaction/);
  const db = new Kysely({ dialect: new SqliteDialect({ database: connection as never }) });
  assert.throws(() => joinKysely(db, 'sqlite'), /joinKysely needs an open transaction/);
});

for (const version of ['that tells the status of its transaction', 'older than pg 8.18']) {
  test(`a pg client ${version} outside a transaction is refused before anything is written`, async (t) => {
    const { database, organizationId, client } = await openPgClient(t, version);
    const tx = database.kernel(joinPg(client));
    await assert.rejects(tx.outbox.append(newEvent(organizationId)), {
      name: 'TypeError',
      message: /needs a pg client with an open transaction/,
    });
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
    await client.query('begin');
    await database.kernel(joinPg(client)).outbox.append(newEvent(organizationId));
    await client.query('commit');
    assert.equal(await countJobs(database, OUTBOX_QUEUE), 1);
  });

  test(`work that was not awaited on a pg client ${version} writes nothing after the commit`, async (t) => {
    const { database, organizationId, client } = await openPgClient(t, version);
    await client.query('begin');
    const { execute } = joinPg(client);
    await execute('select 1', []);
    const committing = client.query('commit');
    const late = execute('insert into probity_tenants (id) values ($1)', ['late']);
    await assert.rejects(late, /The transaction has ended/);
    await committing;
    await client.query('begin');
    await assert.rejects(execute('select 1', []), /The transaction has ended/);
    const next = joinPg(client);
    assert.equal((await next.execute('select 1 as one', [])).changes, 1);
    await client.query('commit');
    const kernel = database.kernel(database.reader);
    assert.deepEqual(
      [await kernel.hasTenant('late'), await kernel.hasTenant(organizationId)],
      [false, true],
    );
  });
}

async function openPgClient(t: TestLifetime, version: string) {
  const postgres = sqlTargets.find((target) => target.name === 'postgres');
  assert.ok(postgres);
  const opened = await postgres.open();
  assert.ok(opened.kind === 'sql');
  const { organizationId } = await createTestTenant(opened);
  const client = new pg.Client(opened.url);
  await client.connect();
  t.after(async () => {
    await client.end();
    await opened.dispose();
  });
  if (version.startsWith('older')) Object.assign(client, { getTransactionStatus: undefined });
  return { database: opened.database, organizationId, client };
}

test('a joined SQLite session refuses work in the next transaction of its connection', async (t) => {
  const connection = openSqliteFile(':memory:', 0);
  t.after(() => connection.close());
  connection.exec('create table entries (n integer)');
  connection.exec('begin');
  const { execute } = joinSqlite(connection);
  await execute('insert into entries values (1)', []);
  connection.exec('commit; begin');
  await assert.rejects(execute('insert into entries values (2)', []), /The transaction has ended/);
  assert.equal(connection.inTransaction, true);
  connection.exec('commit');
  await assert.rejects(execute('insert into entries values (3)', []), /The transaction has ended/);
  assert.equal(connection.inTransaction, false);
  assert.deepEqual(connection.prepare('select n from entries').all(), [{ n: 1 }]);
});

test('a savepoint of the host is undone with the session made in it, and the outer session goes on', async (t) => {
  const connection = openSqliteFile(':memory:', 0);
  t.after(() => connection.close());
  connection.exec('create table entries (n integer); begin');
  const outer = joinSqlite(connection);
  await outer.execute('insert into entries values (1)', []);
  connection.exec('savepoint inner_part');
  const inner = joinSqlite(connection);
  await inner.execute('insert into entries values (2)', []);
  connection.exec('rollback to inner_part; release inner_part');
  await assert.rejects(inner.execute('select 1', []), /The transaction has ended/);
  await outer.execute('insert into entries values (3)', []);
  connection.exec('commit');
  assert.deepEqual(connection.prepare('select n from entries').all(), [{ n: 1 }, { n: 3 }]);
});

test("a Kysely's database is recognized when a bundler has renamed the adapter, others are refused", () => {
  const renamed = [class t extends PostgresAdapter {}, class t extends SqliteAdapter {}];
  const dialects = renamed.map((Adapter) =>
    dialectOf({ getExecutor: () => ({ adapter: new Adapter() }) }),
  );
  assert.deepEqual(dialects, ['postgres', 'sqlite']);
  for (const adapter of [new MysqlAdapter(), new MssqlAdapter()]) {
    assert.throws(() => dialectOf({ getExecutor: () => ({ adapter }) }), /another database/);
  }
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createIds, silentLogger, silentMetrics, systemClock } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import { createTestDatabase, temporaryFolder } from '@probity/test-support';
import { eraseUser } from '../../src/audit/erasure.ts';
import { auditMigrations } from '../../src/audit/migrations.ts';
import { createAuditRetention } from '../../src/audit/retention.ts';
import type { AuditAct, AuditScanRow } from '../../src/audit/rows.ts';
import { createChainSealer } from '../../src/audit/seals.ts';
import { createSqlAuditStore } from '../../src/audit/sql.ts';
import { createAuditTrail } from '../../src/audit/trail.ts';
import { createGatewayDatabase } from '../../src/database/gateway-database.ts';
import { read } from '../config/read.ts';
import { settings } from '../database/world.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-24T00:00:00Z');
const ids = createIds(systemClock);

const KEY = keyOf('1');
const SEALER = createChainSealer(KEY);

/** A key of the gateway, which the database does not have. */
function keyOf(...keys: readonly string[]) {
  const all = (label: string) => keys.map((key) => Buffer.from(key + label));
  return { derive: (label: string) => all(label)[0] as Buffer, deriveAll: all };
}

const KINDS = ['sqlite', 'postgres'] as const;

async function locationOf(t: TestContext, kind: (typeof KINDS)[number]): Promise<DatabaseLocation> {
  if (kind === 'sqlite') return { kind, path: join(temporaryFolder(t).path, 'gateway.db') };
  return { kind, url: (await createTestDatabase(t)).url };
}

async function openStore(t: TestContext, location: DatabaseLocation, table = 'gateway_audit') {
  const database = createGatewayDatabase({
    location,
    settings: settings({ pool_size: 2 }),
    migrations: auditMigrations(table),
    ...{ clock: systemClock, logger: silentLogger, metrics: silentMetrics },
  });
  t.after(() => database.close());
  return { database, store: createSqlAuditStore(database, table, SEALER) };
}

function scan(some: Partial<AuditScanRow> = {}): AuditScanRow {
  return {
    ...{ kind: 'scan', id: ids.next('aud'), createdAtMs: NOW, requestId: 'req_1', clientId: 'app' },
    ...{ userId: null, address: null, result: 'allowed', isDegraded: false, isPersonal: false },
    ...{ durationMs: 1.5, configHash: 'abc', reason: null },
    detail: { scores: {}, findings: [], omitted: 0 },
    ...some,
  } as AuditScanRow;
}

function act(daysAgo = 0): AuditAct {
  return {
    ...{ kind: 'act', id: ids.next('aud'), createdAtMs: NOW - daysAgo * DAY, requestId: null },
    ...{ actor: 'ops', address: null, action: 'config.reloaded', configHash: 'abc' },
    detail: { changed: ['audit.sample_rate'] },
  } as AuditAct;
}

async function countRows({ database }: Awaited<ReturnType<typeof openStore>>): Promise<number> {
  const { rows } = await database.read((session) =>
    session.execute<{ n: number }>('select count(*) as n from gateway_audit', []),
  );
  return Number(rows[0]?.n);
}

for (const kind of KINDS) {
  test(`${kind}: rows that are written twice are stored once, and acts stay one chain`, async (t) => {
    const opened = await openStore(t, await locationOf(t, kind));
    const rows = [scan(), act(), act()];
    await opened.store.insert(rows);
    await opened.store.insert([...rows, act()]);
    assert.equal(await countRows(opened), 4);
    assert.deepEqual(await opened.store.verify(), { links: 3, fault: null, sealedFrom: 1 });
  });

  test(`${kind}: finds acts that were deleted at the end, at the start or altogether`, async (t) => {
    const cuts: Readonly<Record<string, readonly string[]>> = {
      last: [
        'update gateway_audit_chains set sequence = 2, hash = (select hash from gateway_audit where sequence = 2)',
        'delete from gateway_audit where sequence = 3',
      ],
      first: [
        'update gateway_audit_chains set kept_sequence = 1, kept_hash = (select hash from gateway_audit where sequence = 1)',
        'delete from gateway_audit where sequence = 1',
      ],
      all: ["update gateway_audit_chains set sequence = 0, hash = ''", 'delete from gateway_audit'],
      'all with the seal': [
        "update gateway_audit_chains set sequence = 0, hash = '', seal = null, sealed_from = null",
        'delete from gateway_audit',
      ],
    };
    for (const [name, statements] of Object.entries(cuts)) {
      const { database, store } = await openStore(t, await locationOf(t, kind));
      await store.insert([act(), act(), act()]);
      assert.equal((await store.verify()).fault, null);
      await database.write('delete', async (session) => {
        for (const statement of statements) await session.execute(statement, []);
      });
      assert.equal((await store.verify()).fault?.reason, 'unsealed', name);
      if (name.includes('seal')) continue;
      await store.insert([act()]);
      assert.equal((await store.verify()).fault?.reason, 'unsealed', `${name}, and one more`);
    }
  });

  test(`${kind}: seals hold through retention, a rotated key and a chain from before`, async (t) => {
    const { database, store } = await openStore(t, await locationOf(t, kind));
    assert.equal(await store.seal(), false);
    await store.insert([act(100), act()]);
    const ages = { before: new Date(NOW - 90 * DAY), personalBefore: new Date(NOW - 90 * DAY) };
    assert.equal(await store.deleteOld(ages, 10), 1);
    const rotated = createSqlAuditStore(
      database,
      'gateway_audit',
      createChainSealer(keyOf('2', '1')),
    );
    assert.equal((await rotated.verify()).fault, null);
    await rotated.insert([act()]);
    assert.deepEqual(await rotated.verify(), { links: 2, fault: null, sealedFrom: 1 });
    assert.equal((await store.verify()).fault?.reason, 'unsealed', 'the former key alone');
    await database.write('delete', (session) =>
      session.execute('update gateway_audit_chains set seal = null, sealed_from = null', []),
    );
    assert.equal(await rotated.seal(), true);
    assert.deepEqual(await rotated.verify(), { links: 2, fault: null, sealedFrom: 4 });
  });

  test(`${kind}: an act that is changed or removed is found`, async (t) => {
    const { database, store } = await openStore(t, await locationOf(t, kind));
    await store.insert([act(), act(), act()]);
    const change = (sql: string) => database.write('delete', (session) => session.execute(sql, []));
    await change("update gateway_audit set detail = '{}' where sequence = 2");
    assert.deepEqual(await store.verify(), {
      ...{ links: 1, fault: { sequence: 2, reason: 'changed' }, sealedFrom: 1 },
    });
    await change('delete from gateway_audit where sequence = 2');
    assert.deepEqual(await store.verify(), {
      ...{ links: 1, fault: { sequence: 2, reason: 'missing' }, sealedFrom: 1 },
    });
  });

  test(`${kind}: two writers make one chain`, async (t) => {
    const location = await locationOf(t, kind);
    const first = await openStore(t, location);
    const second = await openStore(t, location);
    const write = ({ store }: typeof first) =>
      Promise.all(Array.from({ length: 10 }, () => store.insert([act(), scan(), act()])));
    await Promise.all([write(first), write(second)]);
    assert.deepEqual(await first.store.verify(), { links: 40, fault: null, sealedFrom: 1 });
    assert.equal(await countRows(first), 60);
  });

  test(`${kind}: audit.retention_days deletes in batches of at most 1,000, and leaves the chain verifiable`, async (t) => {
    const opened = await openStore(t, await locationOf(t, kind));
    const old = Array.from({ length: 2_300 }, () => scan({ createdAtMs: NOW - 91 * DAY }));
    await opened.store.insert([
      ...old,
      act(91),
      act(91),
      scan({ createdAtMs: NOW - 89 * DAY }),
      act(1),
    ]);
    const { config } = await read('audit: {retention_days: 90}');
    const batches: number[] = [];
    const retention = createAuditRetention({
      store: {
        async deleteOld(ages, limit) {
          batches.push(await opened.store.deleteOld(ages, limit));
          return batches.at(-1) ?? 0;
        },
      },
      config: () => config as NonNullable<typeof config>,
      clock: { ...systemClock, now: () => new Date(NOW) },
      logger: silentLogger,
    });
    assert.equal(await retention.sweep(), 2_302);
    assert.deepEqual(batches, [1_000, 1_000, 302]);
    assert.equal(await countRows(opened), 2);
    assert.deepEqual(await opened.store.verify(), { links: 1, fault: null, sealedFrom: 1 });
  });

  test(`${kind}: what is stored of a user is erased, in whatever form its id is stored`, async (t) => {
    const opened = await openStore(t, await locationOf(t, kind));
    const rows = Array.from({ length: 1_200 }, () => scan({ userId: 'alice' }));
    await opened.store.insert([
      ...rows,
      scan({ userId: 'hmac-sha256:1' }),
      scan({ userId: 'bob' }),
    ]);
    const waiting = { forget: async () => 3 };
    assert.equal(await eraseUser(opened.store, waiting, ['alice', 'hmac-sha256:1']), 1_204);
    assert.equal(await countRows(opened), 1);
  });

  test(`${kind}: tables of other names are apart`, async (t) => {
    const location = await locationOf(t, kind);
    const name = `T${'x'.repeat(62)}`;
    const first = await openStore(t, location);
    const second = await openStore(t, location, name);
    await first.store.insert([act()]);
    await second.store.insert([act(), act()]);
    assert.deepEqual(await first.store.verify(), { links: 1, fault: null, sealedFrom: 1 });
    assert.deepEqual(await second.store.verify(), { links: 2, fault: null, sealedFrom: 1 });
  });
}

const AGES: [text: string, before: number, personalBefore: number][] = [
  ['audit: {retention_days: 90}', 90, 30],
  ['compliance: {pii_retention_days: 7}', 90, 7],
  ['compliance: {gdpr_mode: true, pii_retention_days: 14}', 14, 14],
  ['audit: {retention_days: 10}\ncompliance: {gdpr_mode: true}', 10, 10],
  ['compliance: {hipaa_mode: true}', 2_190, 2_190],
];

for (const [text, days, personalDays] of AGES) {
  test(`retention of ${text.replace('\n', ' ')}`, async () => {
    const { agesOf } = await import('../../src/audit/retention.ts');
    const { config } = await read(text);
    assert.ok(config);
    const { before, personalBefore } = agesOf(config, new Date(NOW));
    assert.equal((NOW - before.getTime()) / DAY, days);
    assert.equal((NOW - personalBefore.getTime()) / DAY, personalDays);
  });
}

test('a sweep that still finds old rows ends behind its batch when the gateway does', async () => {
  const { config } = await read('audit: {retention_days: 90}');
  let batches = 0;
  const retention = createAuditRetention({
    store: {
      async deleteOld(_ages, limit) {
        batches++;
        assert.ok(batches < 100, 'the sweep does not end');
        if (batches === 3) void retention.stop();
        return limit;
      },
    },
    config: () => config as NonNullable<typeof config>,
    clock: systemClock,
    logger: silentLogger,
  });
  assert.equal(await retention.sweep(), 3_000);
  await retention.stop();
  assert.equal(await retention.sweep(), 0);
});

test('a gateway starts without waiting until old rows are deleted, and ends likewise', async (t) => {
  const location = await locationOf(t, 'sqlite');
  const opened = await openStore(t, location);
  const old = Array.from({ length: 5_000 }, () => scan({ createdAtMs: NOW - 91 * DAY }));
  await opened.store.insert(old);
  const { config } = await read('audit: {retention_days: 90}');
  const trail = createAuditTrail({
    ...{ location, key: KEY, config: () => config as NonNullable<typeof config> },
    ...{ clock: systemClock, logger: silentLogger, metrics: silentMetrics },
  });
  await trail.start();
  await trail.stop();
  const left = await countRows(opened);
  assert.ok(left > 0 && left < 5_000, String(left));
});

// How long others wait while a large organization is deleted: reads and scans of another organization
// before, and from the DELETE until nothing of it is stored. node platform/deletion.mjs [SCANS [MEMBERS]];
// PostgreSQL too where PROBITY_BENCH_POSTGRES names an empty database.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresDatabase,
  createSqliteDatabase,
} from '../../packages/core/dist/src/sql/index.js';
import { fillScans } from '../governance/fill-scans.mjs';
import { bootstrap, PROBITY, startServer } from '../shared/server-process.mjs';

const [, , scans = '1000000', members = '10000'] = process.argv;
const CONTROL_MS = 20_000;
const ENCRYPTION = { PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
try {
  await measure(`sqlite:${join(folder, 'probity.db')}`);
  const postgres = process.env.PROBITY_BENCH_POSTGRES;
  if (postgres) await measure(postgres);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(address) {
  const [large, other] = ['large', 'other'].map((name) =>
    bootstrap(address, name, `${name}@example.com`, ENCRYPTION),
  );
  const database = open(address);
  await fill(database, large.organization_id);
  const args = [PROBITY, 'serve', '--port', '0', '--database', address];
  const server = await startServer(`server-${database.dialect}`, args, { folder, env: ENCRYPTION });
  try {
    console.log(
      `${database.dialect}, ${scans} scans and alerts, ${members} members, keys, invitations`,
    );
    report('before', await watchOthers(server, other, () => delay(CONTROL_MS)));
    let deleteMs = 0;
    const during = await watchOthers(server, other, async () => {
      deleteMs = await deleteOrganization(server, large);
      while (await isStored(database, large.organization_id)) await delay(200);
    });
    console.log(`  DELETE answered after ${Math.round(deleteMs)} ms`);
    report('from DELETE to the last row', during);
  } finally {
    await server.stop();
    await database.close();
  }
}

/** The longest times of others' reads and scans while the work lasts, each sent 10 ms after the one before. */
async function watchOthers(server, { api_key: key, organization_id: id }, work) {
  let isRunning = true;
  const times = { read: [], scan: [] };
  const body = JSON.stringify({ response: 'The capital of France is Paris.' });
  const watch = async (kind, act) => {
    while (isRunning) {
      const startMs = performance.now();
      await act();
      times[kind].push(performance.now() - startMs);
      await delay(10);
    }
  };
  const startMs = performance.now();
  const watching = [
    watch('read', () => call(server, key, 'GET', `/v1/organizations/${id}`)),
    watch('scan', () => call(server, key, 'POST', '/api/v1/governance/scan', body)),
  ];
  await Promise.race([work(), ...watching]);
  const seconds = (performance.now() - startMs) / 1_000;
  isRunning = false;
  await Promise.all(watching);
  return { seconds, ...times };
}

function report(name, { seconds, ...times }) {
  const parts = Object.entries(times).map(([kind, all]) => {
    const sorted = all.toSorted((left, right) => left - right);
    const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]);
    return `${kind} p50 ${at(0.5)} p99 ${at(0.99)} longest ${at(1)} ms (${all.length})`;
  });
  console.log(`  ${name}: ${seconds.toFixed(1)} s, ${parts.join(', ')}`);
}

async function deleteOrganization(server, { api_key: key, organization_id: id }) {
  const path = `/v1/organizations/${id}`;
  const { slug } = await call(server, key, 'GET', path);
  const startMs = performance.now();
  await call(server, key, 'DELETE', `${path}?confirm=${slug}`);
  return performance.now() - startMs;
}

async function call(server, key, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method, headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function isStored(database, id) {
  const { rows } = await database.reader.execute(
    `select id from probity_tenants where id = '${id}'`,
    [],
  );
  return rows.length > 0;
}

/** Members with a key and an invitation each, scans and alerts. */
async function fill(database, organizationId) {
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${members})`;
  const own = `'${organizationId}'`;
  await database.transaction(async ({ execute }) => {
    for (const [table, columns, values] of [
      [
        'members',
        'id, organization_id, email, email_key, name, role, status, mfa_enabled, created_at',
        `'mem_' || n, ${own}, 'm' || n || '@example.com', 'm' || n || '@example.com', 'M', 'viewer', 'active', 0, n`,
      ],
      [
        'api_keys',
        'id, organization_id, member_id, name, role, prefix, token_hash, created_at',
        `'key_' || n, ${own}, 'mem_' || n, 'K', 'viewer', 'pk_', 'key_' || n, n`,
      ],
      [
        'invitations',
        'id, organization_id, member_id, email, role, token_hash, created_at, sent_at, expires_at',
        `'inv_' || n, ${own}, 'mem_' || n, 'm' || n || '@example.com', 'viewer', 'inv_' || n, n, n, n`,
      ],
    ]) {
      await execute(
        `${numbers} insert into probity_${table} (${columns}) select ${values} from numbers`,
        [],
      );
    }
  });
  await fillScans(database, organizationId, Number(scans));
}

function open(address) {
  return address.startsWith('sqlite:')
    ? createSqliteDatabase({ path: address.slice('sqlite:'.length) })
    : createPostgresDatabase({ url: address });
}

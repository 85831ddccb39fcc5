// npm run replay -w @probity/bench [-- --events N --scans N --only sqlite|postgres]
// Live deliveries of a webhook alone, and beside a replay of many stored events to the same webhook, by
// turns in one run. What counts is the ratio; the machine is shared.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createIds } from '../../packages/core/dist/src/index.js';
import { openDatabase } from '../../test/server/dist/open-database.js';
import {
  acquirePostgres,
  createTestDatabase,
  startHttpsReceiver,
} from '../../test/support/dist/src/index.js';
import { bootstrap, PROBITY, startServer } from '../shared/server-process.mjs';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    scans: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});
const EVENTS = Number(flags.events);
const SCANS = Number(flags.scans);
const ROUNDS = 3;
const PAUSE_MS = 50;
const BATCH = 1_000;
const STORED_TYPE = 'alert.resolved';
const LIVE_TYPE = 'policy.violated';
const SINCE = '2026-01-01T00:00:00Z';
const LEAK = JSON.stringify({ response: 'Her SSN is 536-22-8145.' });

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const cleanUps = [() => rmSync(folder, { recursive: true, force: true })];
const lifetime = { after: (cleanUp) => cleanUps.unshift(cleanUp) };
/** Arrival times of live events by the scan that caused them, and the number of replayed ones. */
const arrivals = new Map();
let replayed = 0;

try {
  const results = [];
  for (const engine of ['sqlite', 'postgres']) {
    if ((flags.only ?? engine) === engine) results.push(await compare(engine));
  }
  console.log(
    `${SCANS * ROUNDS} live deliveries alone and beside a replay of ${EVENTS} events, ms`,
  );
  console.table(results);
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
process.exit(0);

async function compare(engine) {
  const receiver = await startHttpsReceiver({ handler: receive, test: lifetime });
  const environment = {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile(),
    PROBITY_WEBHOOKS_EGRESS_ALLOW: `127.0.0.1/32:${receiver.port}`,
    PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const database = await createDatabase(engine);
  const owner = bootstrap(database, 'Acme', 'ann@acme.example', environment);
  await storeEvents(database, owner.organization_id);
  const args = [PROBITY, 'serve', '--port', '0', '--database', database];
  const server = await startServer(engine, args, { folder, env: environment });
  lifetime.after(() => server.stop());
  const post = (path, body) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.api_key}`, 'content-type': 'application/json' },
      body,
    }).then(async (response) => {
      // The answer to a scan that is blocked is its result.
      if (!response.ok && response.status !== 403) throw new Error(await response.text());
      return response.json();
    });
  const { data: webhook } = await post(
    '/webhooks',
    JSON.stringify({ url: `${receiver.url}/hook`, events: [LIVE_TYPE, STORED_TYPE] }),
  );
  await live(post);
  const [alone, beside] = [[], []];
  let besideMs = 0;
  replayed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await live(post)));
    const path = `/webhooks/${webhook.id}/replay`;
    const { data } = await post(path, JSON.stringify({ since: SINCE, types: [STORED_TYPE] }));
    const before = replayed;
    while (replayed === before) await sleep(10);
    const startedAt = performance.now();
    beside.push(...(await live(post)));
    besideMs += performance.now() - startedAt;
    await post(`${path}s/${data.id}/cancel`);
    await sleep(1_000);
  }
  await server.stop();
  const ratio = (share) => (quantile(beside, share) / quantile(alone, share)).toFixed(2);
  return {
    engine,
    'p50 alone': quantile(alone, 0.5).toFixed(1),
    'p50 beside': quantile(beside, 0.5).toFixed(1),
    'ratio p50': ratio(0.5),
    'p95 alone': quantile(alone, 0.95).toFixed(1),
    'p95 beside': quantile(beside, 0.95).toFixed(1),
    'ratio p95': ratio(0.95),
    'replayed/s': Math.round(replayed / (besideMs / 1_000)),
  };
}

async function createDatabase(engine) {
  if (engine === 'sqlite') return `sqlite:${join(folder, 'probity.db')}`;
  await acquirePostgres();
  return (await createTestDatabase(lifetime)).url;
}

async function storeEvents(location, organizationId) {
  const database = openDatabase(location);
  const ids = createIds();
  const data = { alertId: 'alr_1', resolution: 'False positive', resolvedBy: 'mem_1' };
  const start = Date.now() - EVENTS;
  for (let stored = 0; stored < EVENTS; stored += BATCH) {
    await database.transaction(async (session) => {
      for (let index = stored; index < stored + BATCH; index += 1) {
        const base = { id: ids.next('evt'), organizationId, type: STORED_TYPE, requestId: null };
        const createdAt = new Date(start + index);
        await database.kernel(session).insertEvent({ ...base, data, createdAt });
      }
    });
  }
  await database.close();
}

function receive({ rawBody }) {
  const { type, data } = JSON.parse(rawBody.toString());
  if (type === LIVE_TYPE) arrivals.set(data.scanId, performance.now());
  else replayed += 1;
  return {};
}

/** Milliseconds from each scan to the arrival of its event. */
async function live(post) {
  const times = [];
  for (let scan = 0; scan < SCANS; scan += 1) {
    const startedAt = performance.now();
    const { governance } = await post('/governance/scan', LEAK);
    while (!arrivals.has(governance.scan_id)) await sleep(1);
    times.push(arrivals.get(governance.scan_id) - startedAt);
    await sleep(PAUSE_MS);
  }
  return times;
}

function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

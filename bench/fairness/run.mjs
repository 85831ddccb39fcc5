// npm run fairness -w @probity/bench [-- --scans N --backlog N --only sqlite|postgres --part deliveries|backlog]
// Deliveries of one organization alone and beside three greedy ones, and scans with and without a
// backlog of due deliveries. What counts are the ratios within this run; the machine is shared.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  acquirePostgres,
  createTestDatabase,
  startHttpsReceiver,
} from '../../test/support/dist/src/index.js';
import { bootstrap, PROBITY, startServer } from '../shared/server-process.mjs';
import { addBacklog } from './backlog.mjs';

const { values: flags } = parseArgs({
  options: {
    scans: { type: 'string', default: '400' },
    backlog: { type: 'string', default: '200000' },
    only: { type: 'string' },
    part: { type: 'string' },
  },
});
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));
const SLOW_RECEIVER = fileURLToPath(new URL('slow-receiver.mjs', import.meta.url));
const SCANS = Number(flags.scans);
const BACKLOG = Number(flags.backlog);
/** The measured organization, and the greedy ones. */
const TENANTS = ['victim', 'b', 'c', 'd'];
const ROUNDS = 10;
const EVENTS_EACH = 12;
const WEBHOOKS_EACH = 90;
const SLOW_MS = 27_000;
/** A delivery that has not arrived after this time counts as taking so long. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;
const LEAK = JSON.stringify({
  response: 'Her SSN is 536-22-8145 and the card is 4539 1488 0343 6467, as you asked.',
});

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const cleanUps = [() => rmSync(folder, { recursive: true, force: true })];
const lifetime = { after: (cleanUp) => cleanUps.unshift(cleanUp) };
/** Arrival times of deliveries by the scan that caused them. */
const arrivals = new Map();

try {
  await run();
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
process.exit(0);

async function run() {
  const receiver = await startHttpsReceiver({ handler: receive, test: lifetime });
  const slowReceiver = await startSlowReceiver();
  const certificates = join(folder, 'certificates.pem');
  const files = [receiver.certificateFile(), slowReceiver.certificate];
  writeFileSync(certificates, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  const environment = {
    NODE_EXTRA_CA_CERTS: certificates,
    PROBITY_WEBHOOKS_EGRESS_ALLOW: [receiver, slowReceiver]
      .map(({ port }) => `127.0.0.1/32:${port}`)
      .join(','),
    PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const world = { receiver, slowReceiver, environment };
  const engines = ['sqlite', 'postgres'].filter((name) => (flags.only ?? name) === name);
  if (flags.part !== 'backlog') {
    const results = [];
    for (const engine of engines) {
      const prepare = async (name) => {
        const database = await createDatabase(engine);
        const tenants = TENANTS.map((tenant) => tenantOf(database, tenant, environment));
        return { server: await startProbity(`${engine}-${name}`, database, environment), tenants };
      };
      results.push(await compareDeliveries(`Probity on ${engine}`, prepare, world));
    }
    if (!flags.only) {
      const prepare = async (name) => ({
        server: await start(`bare-${name}`, [BARE, join(folder, `${name}.db`)], environment),
        tenants: TENANTS.map((key) => ({ key })),
      });
      results.push(await compareDeliveries('bare, first come first served', prepare, world));
    }
    console.log(
      `${SCANS} deliveries alone, in turns with as many beside ${TENANTS.length - 1} organizations with ` +
        `${WEBHOOKS_EACH} webhooks that answer after ${SLOW_MS / 1_000} s`,
    );
    console.table(results);
  }
  if (flags.part !== 'deliveries') {
    const results = [];
    for (const engine of engines) results.push(...(await compareBacklog(engine, world)));
    console.log(
      `${(SCANS / 4) * ROUNDS} scans beside nothing, and beside ${BACKLOG} due deliveries of one webhook`,
    );
    console.table(results);
  }
}

async function startSlowReceiver() {
  const child = fork(SLOW_RECEIVER, [`${SLOW_MS}`]);
  lifetime.after(() => child.kill());
  const [receiver] = await once(child, 'message');
  return receiver;
}

function receive(request) {
  const { scanId } = JSON.parse(request.rawBody.toString()).data;
  if (!arrivals.has(scanId)) arrivals.set(scanId, performance.now());
  return {};
}

async function createDatabase(engine) {
  if (engine === 'sqlite') return `sqlite:${join(folder, `${Math.random()}.db`)}`;
  await acquirePostgres();
  return (await createTestDatabase(lifetime)).url;
}

function tenantOf(database, name, environment) {
  const { organization_id: id, api_key: key } = bootstrap(
    database,
    name,
    `${name}@example.com`,
    environment,
  );
  return { id, key: `Bearer ${key}` };
}

function startProbity(name, database, environment) {
  return start(name, [PROBITY, 'serve', '--port', '0', '--database', database], environment);
}

async function start(name, args, env) {
  const server = await startServer(name, args, { folder, env });
  lifetime.after(server.stop);
  return server;
}

async function post(server, key, path, body) {
  const headers = { authorization: key, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 403) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

function addWebhook(server, { key }, url) {
  const body = JSON.stringify({ url, events: ['policy.violated'] });
  return post(server, key, '/api/v1/webhooks', body);
}

/** Scans a text that is blocked; returns the id of the scan. */
async function scan(server, { key }) {
  const { governance } = await post(server, key, '/api/v1/governance/scan', LEAK);
  return governance.scan_id;
}

async function compareDeliveries(name, prepare, { receiver, slowReceiver }) {
  const subjects = [await prepare('alone'), await prepare('beside')];
  for (const { server, tenants } of subjects) {
    await addWebhook(server, tenants[0], `${receiver.url}/quick`);
    await deliver(server, tenants[0], 40);
  }
  await addGreed(subjects[1], slowReceiver);
  const times = subjects.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { server, tenants }] of subjects.entries()) {
      times[index].push(...(await deliver(server, tenants[0], SCANS / ROUNDS)));
    }
  }
  for (const { server } of subjects) await server.stop();
  const [alone, beside] = times.map(percentiles);
  return {
    subject: name,
    'alone p50 ms': round(alone.p50),
    'alone p99 ms': round(alone.p99),
    'beside p50 ms': round(beside.p50),
    'beside p99 ms': round(beside.p99),
    'p99 ratio': (beside.p99 / alone.p99).toFixed(2),
  };
}

/** Gives the other organizations enough deliveries to fill every place several times. */
async function addGreed({ server, tenants: [, ...greedy] }, { url }) {
  for (const tenant of greedy) {
    for (let index = 0; index < WEBHOOKS_EACH; index += 1) {
      await addWebhook(server, tenant, `${url}/slow/${index}`);
    }
  }
  for (let event = 0; event < EVENTS_EACH; event += 1) {
    for (const tenant of greedy) await scan(server, tenant);
  }
  await sleep(3_000);
}

/** Times from the scan's request to the arrival of its delivery. */
async function deliver(server, tenant, count) {
  const sent = [];
  for (let index = 0; index < count; index += 1) {
    const at = performance.now();
    sent.push({ id: await scan(server, tenant), at });
    await sleep(PAUSE_MS);
  }
  const endAt = performance.now() + PATIENCE_MS;
  while (sent.some(({ id }) => !arrivals.has(id)) && performance.now() < endAt) await sleep(20);
  return sent.map(({ id, at }) => (arrivals.get(id) ?? at + PATIENCE_MS) - at);
}

async function compareBacklog(engine, { slowReceiver, environment }) {
  const subjects = [];
  for (const backlog of [0, BACKLOG]) {
    const database = await createDatabase(engine);
    const [scanner, greedy] = ['a', 'b'].map((name) => tenantOf(database, name, environment));
    if (backlog > 0) await addBacklog(database, greedy.id, `${slowReceiver.url}/slow`, backlog);
    const server = await startProbity(`${engine}-${backlog}`, database, environment);
    subjects.push({ backlog, server, scanner, times: [] });
  }
  await sleep(5_000);
  for (const { server, scanner } of subjects) await scanFor(server, scanner, SCANS / 4);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { server, scanner, times } of subjects) {
      times.push(...(await scanFor(server, scanner, SCANS / 4)));
    }
  }
  for (const { server } of subjects) await server.stop();
  return subjects.map(({ backlog, times }) => {
    const { p50, p99 } = percentiles(times);
    return { engine, backlog, 'p50 ms': round(p50), 'p99 ms': round(p99) };
  });
}

/** Times of scans over four connections. */
async function scanFor(server, tenant, count) {
  const times = [];
  const work = async () => {
    for (let index = 0; index < count / 4; index += 1) {
      const at = performance.now();
      await scan(server, tenant);
      times.push(performance.now() - at);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return times;
}

function percentiles(times) {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

function round(ms) {
  return Math.round(ms * 10) / 10;
}

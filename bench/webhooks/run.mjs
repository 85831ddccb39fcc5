// npm run webhooks -w @probity/bench [-- --events N --rounds N --part throughput|latency|isolation|ordered|memory --only TEXT]
//                                    [--connections fresh|kept --scheme https|http --endpoints 1|10|100 --profile FOLDER]
// Deliveries per second, latency, and isolation of hanging endpoints, beside bare undici loops and workers of BullMQ
// and pg-boss. What counts are the ratios within this run; the machine is shared.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  acquirePostgres,
  acquireRedis,
  createTestDatabase,
  redisMissing,
} from '../../test/support/dist/src/index.js';
import { median } from '../shared/measure.mjs';
import { fetchPeers } from './peers.mjs';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    part: { type: 'string' },
    only: { type: 'string' },
    connections: { type: 'string', default: 'kept' },
    scheme: { type: 'string', default: 'https' },
    endpoints: { type: 'string', default: '10' },
    profile: { type: 'string' },
  },
});
const EVENTS = Number(flags.events);
const ROUNDS = Number(flags.rounds);
const ORIGINS = Number(flags.endpoints);
const WARM_UP_EVENTS = 300;
const SENDER = fileURLToPath(new URL('sender.mjs', import.meta.url));
const RECEIVER = fileURLToPath(new URL('receiver.mjs', import.meta.url));
const PATIENCE_MS = 60_000;
const POLL_MS = 20;
/** In which the last results are stored. */
const SETTLE_MS = 300;
const LATENCY_EVENTS_PER_SECOND = 100;
const LATENCY_SECONDS = 10;
const ISOLATION_EVENTS_PER_SECOND = 200;
const ISOLATION_SECONDS = 10;
/** A healthy delivery that takes longer has not arrived. */
const ISOLATION_PATIENCE_MS = 5_000;
const HANGING = 20;
const HOSTILE = 20;
const ENDPOINTS = 100;

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const cleanUps = [() => rmSync(folder, { recursive: true, force: true })];
const lifetime = { after: (cleanUp) => cleanUps.unshift(cleanUp) };

try {
  await run();
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
process.exit(0);

async function run() {
  const receiver = await startReceiver();
  const peers = await fetchPeers();
  await acquirePostgres();
  const redis = redisMissing() ? undefined : (await acquireRedis()).url;
  const world = { receiver, peers, redis };
  const wants = (part) => (flags.part ?? part) === part;
  if (wants('throughput')) await compareThroughput(world);
  if (wants('latency')) await compareLatency(world);
  if (wants('isolation')) await compareIsolation(world);
  if (wants('ordered')) await measureOrdered(world);
  if (wants('memory')) await measureMemory(world);
}

/** Servers of the scheme, each an origin. */
async function startReceiver() {
  const counts = flags.scheme === 'https' ? [ORIGINS, 0] : [0, ORIGINS];
  const child = fork(RECEIVER, counts.map(String));
  lifetime.after(() => child.kill());
  const [{ https, http, authority }] = await once(child, 'message');
  const authorityFile = join(folder, 'authority.pem');
  writeFileSync(authorityFile, authority);
  return {
    urls: [...https, ...http],
    authorityFile,
    /** From now on /flood and /bomb send 1 GiB. */
    beHostile: () => child.send({ hostile: true }),
    /** Arrival times by event since the last call. */
    async take() {
      child.send({ taken: true });
      const [answer] = await once(child, 'message');
      this.hostileBytes = answer.hostileBytes;
      return new Map(answer.arrivals);
    },
    /** Bytes that /flood and /bomb have sent. */
    hostileBytes: 0,
  };
}

/**
 * The senders of a comparison, the bare loop first, beside which all others are measured. Probity sends by HTTPS
 * alone and treats connections as it does; `fresh` has the others take one for each request.
 */
function senders({ redis }) {
  const fresh = flags.connections === 'fresh';
  const all = [
    { name: 'bare undici', kind: 'bare', fresh },
    { name: 'Probity, SQLite', kind: 'probity', engine: 'sqlite', needsHttps: true },
    { name: 'Probity, PostgreSQL', kind: 'probity', engine: 'postgres', needsHttps: true },
    { name: 'BullMQ, history', kind: 'bullmq', engine: 'postgres', fresh, needsRedis: true },
    { name: 'pg-boss, history', kind: 'pg-boss', engine: 'postgres', fresh },
  ];
  return all
    .filter(({ needsRedis }) => !needsRedis || redis)
    .filter(({ needsHttps }) => !needsHttps || flags.scheme === 'https')
    .filter(({ name }, index) => index === 0 || name.includes(flags.only ?? ''));
}

async function startSender(
  { name, kind, engine, fresh },
  { receiver, peers, redis },
  endpoints = receiver.urls.map((url) => ({ url: `${url}/ok`, tenant: 'a' })),
) {
  const location = await createDatabase(engine);
  const profile =
    flags.profile && join(flags.profile, `${kind}-${engine ?? ''}-${Date.now()}.cpuprofile`);
  const settings = { endpoints, fresh, peers, redis, location, profile };
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: receiver.authorityFile };
  const child = fork(SENDER, [kind, JSON.stringify(settings)], { env });
  lifetime.after(() => child.kill());
  await once(child, 'message');
  const ask = async (command, more = {}) => {
    child.send({ command, ...more });
    const [answer] = await once(child, 'message');
    if (answer.error) throw new Error(`${name}: ${answer.error}`);
    return answer;
  };
  return { name, ask, kill: () => child.kill('SIGKILL') };
}

async function createDatabase(engine) {
  if (engine === 'sqlite') return `sqlite:${join(folder, `${Math.random()}.db`)}`;
  if (engine === 'postgres') return (await createTestDatabase(lifetime)).url;
  return undefined;
}

/**
 * Stores events, then starts a sender in a new process and measures how it sends them: from the end of the warm-up
 * to the last arrival.
 */
async function drain(subject, world, endpoints) {
  const sender = await startSender(subject, world, endpoints);
  const total = WARM_UP_EVENTS + EVENTS;
  await sender.ask('enqueue', { count: total });
  await sender.ask('start');
  const times = await arrive(world.receiver, WARM_UP_EVENTS);
  const before = await sender.ask('cpu');
  const measured = total - times.length;
  const from = Math.max(...times);
  times.push(...(await arrive(world.receiver, measured)));
  await sleep(SETTLE_MS);
  const after = await sender.ask('cpu');
  await sender.ask('stop');
  const perSecond = (measured * 1_000) / (Math.max(...times) - from);
  const cpuUs = (after.cpuUs - before.cpuUs) / measured;
  console.error(`${subject.name}: ${Math.round(perSecond)}/s, ${Math.round(cpuUs)} us`);
  return { perSecond, cpuUs };
}

/** Waits for so many further events, or more; returns when they arrived. */
async function arrive(receiver, count) {
  const times = [];
  const end = performance.now() + PATIENCE_MS;
  while (times.length < count && performance.now() < end) {
    times.push(...(await receiver.take()).values());
    await sleep(POLL_MS);
  }
  if (times.length < count) throw new Error(`${times.length} of ${count} events arrived`);
  return times;
}

/** Each sender between two runs of the bare loop, as ratios to their mean. */
async function compareThroughput(world) {
  const [bare, ...others] = senders(world);
  const runs = new Map([bare, ...others].map(({ name }) => [name, []]));
  let previous = await drain(bare, world);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const subject of others) {
      const own = await drain(subject, world);
      const next = await drain(bare, world);
      const bareRate = (previous.perSecond + next.perSecond) / 2;
      runs.get(bare.name).push({ ...next, ratio: next.perSecond / bareRate });
      runs.get(subject.name).push({ ...own, ratio: own.perSecond / bareRate });
      previous = next;
    }
  }
  const { scheme, connections } = flags;
  const what = `${EVENTS} deliveries of 1 KB by ${scheme} to ${ORIGINS} endpoints, ${ROUNDS} rounds`;
  console.log(`${what}; bare loop and peers: ${connections} connections`);
  console.table(
    [...runs].map(([sender, results]) => ({
      sender,
      'ratio to bare': median(results.map(({ ratio }) => ratio)).toFixed(2),
      'all rounds': results.map(({ ratio }) => ratio.toFixed(2)).join(' '),
      'per second': Math.round(median(results.map(({ perSecond }) => perSecond))),
      'CPU us': Math.round(median(results.map(({ cpuUs }) => cpuUs))),
    })),
  );
}

/** Latency from the call that stores an event to its arrival, at a moderate rate. */
async function compareLatency(world) {
  const rows = [];
  for (const subject of senders(world)) {
    const sender = await startSender(subject, world);
    await sender.ask('start');
    const streamed = { perSecond: LATENCY_EVENTS_PER_SECOND, seconds: LATENCY_SECONDS };
    await stream(sender, world.receiver, { ...streamed, seconds: 3 });
    const { latencies } = await stream(sender, world.receiver, streamed);
    await sender.ask('stop');
    rows.push({ sender: subject.name, ...percentiles(latencies) });
  }
  console.log(`latency at ${LATENCY_EVENTS_PER_SECOND} events a second, ${ORIGINS} endpoints`);
  console.table(rows);
}

/** Streams events; `latencies` are those of the endpoints that answer, `Infinity` for events that did not arrive. */
async function stream(sender, receiver, { perSecond, seconds, isHealthy = () => true }) {
  const { enqueued, failures } = await sender.ask('stream', { perSecond, seconds });
  if (failures.length > 0) throw new Error(`${sender.name}: ${failures[0]}`);
  const healthy = enqueued.filter(([, , endpoint]) => isHealthy(endpoint));
  const arrivals = new Map();
  const end = performance.now() + ISOLATION_PATIENCE_MS;
  do {
    for (const [id, at] of await receiver.take()) arrivals.set(id, at);
    await sleep(POLL_MS);
  } while (healthy.some(([id]) => !arrivals.has(id)) && performance.now() < end);
  return { latencies: healthy.map(([id, at]) => (arrivals.get(id) ?? Infinity) - at) };
}

function percentiles(latencies) {
  const sorted = [...latencies].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const rounded = (ms) => Math.round(ms * 10) / 10;
  return {
    'p50 ms': rounded(at(0.5)),
    'p99 ms': rounded(at(0.99)),
    lost: latencies.filter((ms) => ms === Infinity).length,
  };
}

/**
 * One hundred endpoints at 200 events a second: all answer, 20 of the same tenant hang, or 20 of three other tenants
 * do. The three run in turns, each in a process of its own, and what hangs stays in hand between its turns.
 */
async function compareIsolation(world) {
  const subjects = senders(world).filter(({ kind }) => kind === 'probity');
  const rows = [];
  for (const subject of subjects) {
    const cases = [];
    for (const [name, toTenant] of [
      ['control', () => 'a'],
      [`${HANGING} of ${ENDPOINTS} hang`, () => 'a'],
      [`${HANGING} of three other tenants hang`, (index) => `slow${index % 3}`],
    ]) {
      const hangs = (index) => name !== 'control' && index < HANGING;
      const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
        url: `${world.receiver.urls[index % ORIGINS]}/${hangs(index) ? 'hang' : `ok${index}`}`,
        tenant: index < HANGING ? toTenant(index) : 'a',
      }));
      const sender = await startSender(subject, world, endpoints);
      await sender.ask('start');
      cases.push({ name, sender, isHealthy: (index) => index >= HANGING, latencies: [] });
    }
    const streamed = { perSecond: ISOLATION_EVENTS_PER_SECOND, seconds: ISOLATION_SECONDS };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const each of cases) {
        const seconds = round === 0 ? 2 : ISOLATION_SECONDS;
        const { latencies } = await stream(each.sender, world.receiver, {
          ...streamed,
          ...each,
          seconds,
        });
        // The first round warms up.
        if (round === 0) continue;
        each.latencies.push(...latencies);
        console.error(`${subject.name}, ${each.name}: ${JSON.stringify(percentiles(latencies))}`);
      }
    }
    const [control] = cases.map(({ latencies }) => percentiles(latencies)['p99 ms']);
    for (const { name, sender, latencies } of cases) {
      const measured = percentiles(latencies);
      const ratio = (measured['p99 ms'] / control).toFixed(2);
      rows.push({
        sender: subject.name,
        case: name,
        healthy: latencies.length,
        ...measured,
        'p99 ratio': ratio,
      });
      sender.kill();
    }
  }
  console.log(
    `${ENDPOINTS} endpoints at ${ISOLATION_EVENTS_PER_SECOND} events a second, healthy ones`,
  );
  console.table(rows);
}

/** Deliveries per second of a burst to one ordered webhook, and to one that is not. */
async function measureOrdered(world) {
  const rows = [];
  for (const subject of senders(world).filter(({ kind }) => kind === 'probity')) {
    for (const ordered of [true, false]) {
      const endpoint = { url: `${world.receiver.urls[0]}/ok`, tenant: 'a', ordered };
      const { perSecond, cpuUs } = await drain(subject, world, [endpoint]);
      rows.push({ sender: subject.name, ordered, ...rounded({ perSecond, cpuUs }) });
    }
  }
  console.log(`${EVENTS} deliveries to one webhook`);
  console.table(rows);
}

function rounded({ perSecond, cpuUs }) {
  return { 'per second': Math.round(perSecond), 'CPU us': Math.round(cpuUs) };
}

/** Growth of the memory when 20 receivers, which have answered well, send 1 GiB each or as much in gzip. */
async function measureMemory(world) {
  const endpoints = Array.from({ length: HOSTILE }, (_, index) => ({
    url: `${world.receiver.urls[index % ORIGINS]}/${index % 2 === 0 ? 'flood' : 'bomb'}`,
    tenant: 'a',
  }));
  const measured = [];
  for (const subject of senders(world).filter(({ kind }) => kind === 'probity')) {
    const sender = await startSender(subject, world, endpoints);
    await sender.ask('start');
    const streamed = { perSecond: LATENCY_EVENTS_PER_SECOND, seconds: LATENCY_SECONDS };
    await stream(sender, world.receiver, streamed);
    const before = await sender.ask('memory');
    measured.push({ subject, sender, before });
  }
  world.receiver.beHostile();
  const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
  const rows = [];
  for (const { subject, sender, before } of measured) {
    const streamed = { perSecond: LATENCY_EVENTS_PER_SECOND, seconds: LATENCY_SECONDS };
    await sender.ask('memory');
    const sentBefore = world.receiver.hostileBytes;
    const { latencies } = await stream(sender, world.receiver, streamed);
    const { peak } = await sender.ask('memory');
    await sender.ask('stop');
    rows.push({
      sender: subject.name,
      deliveries: latencies.length,
      'sent MiB': mebibytes(world.receiver.hostileBytes - sentBefore),
      'RSS MiB': mebibytes(before.rss),
      'RSS at most': mebibytes(peak),
      growth: mebibytes(peak - before.rss),
      'growth over the peak before': mebibytes(peak - before.peak),
    });
  }
  console.log(`memory while ${HOSTILE} receivers send 1 GiB each, or as much in gzip`);
  console.table(rows);
}

// npm run gateway -w @probity/bench [-- ROUNDS [SECONDS]]
// The proxy beside direct calls and beside an undici proxy with five regular expressions, all up at once, in turns:
// the median latency at 100 requests a second, and the CPU of a call. Scans over HTTP beside the same program
// without a model. What counts are the differences and the ratios within this run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPipeline } from '../../packages/pipeline/dist/src/index.js';
import { makeTexts } from '../pipeline/material.mjs';
import { measureInTurns, median, summarize } from '../shared/measure.mjs';
import { startServer } from '../shared/server-process.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
const PER_SECOND = 100;
/** What the model answers. */
const ANSWER = 'Your parcel has left the warehouse and will arrive in two or three working days.';
const SEVEN = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
  ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
];
const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const GATEWAY = fileOf('../../packages/gateway/bin/probity-gateway.js');

/** Different ones, so that nothing is answered from memory. */
const TEXTS = makeTexts(12, 512);
let turn = 0;
const nextText = () => `Parcel ${turn}. ${TEXTS[turn++ % TEXTS.length]}`.slice(0, 512);
const nextCall = () =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: nextText() }] });
const nextScan = () => JSON.stringify({ response: nextText() });

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const servers = [];
try {
  await run();
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function start(name, args) {
  const server = await startServer(name, args, { folder });
  servers.push(server);
  return server;
}

async function run() {
  const model = await start('model', [fileOf('model.mjs')]);
  const bare = await start('bare', [fileOf('bare.mjs'), model.url]);
  const bareScan = await start('bare-scan', [fileOf('bare.mjs')]);
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, configuration(model.url));
  const created = [GATEWAY, 'key', 'create', '--config', file];
  const key = execFileSync(process.execPath, created, { encoding: 'utf8', stdio: 'pipe' }).trim();
  const gateway = await start('gateway', [GATEWAY, '--config', file]);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const path = '/v1/chat/completions';
  const calls = (server) => ({
    server,
    request: { path, method: 'POST', headers, nextBody: nextCall },
  });
  const scan = { path: '/api/v1/governance/scan', method: 'POST', headers, nextBody: nextScan };
  const scans = (server) => ({ server, request: scan });
  await reportLatency({ direct: model, 'undici proxy': bare, gateway }, { path, headers });
  await reportCpu(
    ['undici proxy', 'gateway, proxied call', 'undici program, scan', 'gateway, HTTP scan'],
    [calls(bare), calls(gateway), scans(bareScan), scans(gateway)],
  );
}

function configuration(url) {
  return [
    'server: {host: 127.0.0.1, port: 0, workers: 1}',
    'monitoring: {prometheus: {enabled: false}, health_check: {port: 0}}',
    'rate_limiting: {enabled: false}',
    'models:',
    '  providers:',
    `    local: {enabled: true, base_url: ${url}/v1, models: {m: {enabled: true}}}`,
    '',
  ].join('\n');
}

/** One connection for each call that is open, as clients with a pool have. */
async function reportLatency(subjects, { path, headers }) {
  const agents = Object.values(subjects).map(() => new Agent({ keepAlive: true }));
  const names = Object.keys(subjects);
  const medians = names.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, { url }] of Object.values(subjects).entries()) {
      const agent = agents[index];
      const times = await openLoop(() => timeOf(`${url}${path}`, { agent, headers }));
      // The first round compiles.
      if (round >= 0) medians[index].push(median(times));
    }
  }
  for (const agent of agents) agent.destroy();
  const direct = median(medians[0]);
  console.log(`${PER_SECOND} calls a second, median of ${rounds} x ${seconds} s, ms`);
  console.table(
    names.map((name, index) => ({
      server: name,
      'p50 ms': median(medians[index]).toFixed(2),
      'added p50 ms': (median(medians[index]) - direct).toFixed(2),
    })),
  );
}

async function openLoop(call) {
  const calls = [];
  const count = PER_SECOND * seconds;
  const startedAt = performance.now();
  for (let at = 0; at < count; at += 1) {
    const waitMs = startedAt + (at * 1_000) / PER_SECOND - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    calls.push(call());
  }
  return Promise.all(calls);
}

function timeOf(url, { agent, headers }) {
  const body = nextCall();
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const options = {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    };
    const request = send(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - startedAt));
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function reportCpu(names, subjects) {
  const results = (await measureInTurns(subjects, { rounds, seconds })).map(summarize);
  const scanUs = await costOfPipeline((scan) => scan({ response: nextText() }));
  // The request, and the answer with what it answers.
  const callUs = await costOfPipeline(async (scan) => {
    const prompt = nextText();
    await scan({ prompt, response: '' });
    await scan({ prompt, response: ANSWER });
  });
  const own = [0, callUs, 0, scanUs];
  console.log(
    `the pipeline's own CPU: ${callUs.toFixed(0)} us a call, ${scanUs.toFixed(0)} us a scan of 512 characters`,
  );
  console.table(
    results.map(({ cpuUs, perSecond, p99Ms }, index) => {
      const peer = results[index - (index % 2)].cpuUs;
      return {
        server: names[index],
        'CPU us/request': cpuUs.toFixed(0),
        'CPU ratio': (cpuUs / peer).toFixed(2),
        'without the pipeline': ((cpuUs - own[index]) / peer).toFixed(2),
        'requests/s': perSecond.toFixed(0),
        'p99 ms': p99Ms.toFixed(1),
      };
    }),
  );
}

/** CPU of what the seven stages do in this process for one request, in microseconds. */
async function costOfPipeline(work) {
  const { scan } = createPipeline({ stages: SEVEN.map((name) => ({ name })) });
  const count = 2_000;
  let used = 0;
  for (let round = 0; round < 2; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < count; at += 1) await work(scan);
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / count;
  }
  return used;
}

// npm run gateway -w @probity/bench [-- ROUNDS [SECONDS]]
// The proxy beside direct calls and beside an undici proxy with five regular expressions, all up at once, in turns:
// the median latency at 100 requests a second, and the CPU of calls and of scans over HTTP. What counts are the
// differences and the ratios within this run. For the latency a relay of bytes and a proxy of node:http that reads
// nothing run too: what one more process adds in any case; and the undici proxy with the seven stages.
//
// The pipeline's own CPU is the difference between the undici programs with and without the seven stages, measured in
// the same turns: as in the gateway, each scan stands between I/O and other work, beside the client on the other
// processor. A loop of scans alone is faster or slower than any server, by what the caches and the compiler make of it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTexts } from '../pipeline/material.mjs';
import { measureInTurns, median, summarize } from '../shared/measure.mjs';
import { startServer } from '../shared/server-process.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
const PER_SECOND = 100;
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
  const peer = fileOf('bare.mjs');
  const proxying = ['--upstream', model.url];
  const relay = await start('relay', [fileOf('relay.mjs'), ...proxying]);
  const passing = await start('passing', [fileOf('relay.mjs'), ...proxying, '--http']);
  const bare = await start('bare', [peer, ...proxying]);
  const bareStages = await start('bare-stages', [peer, ...proxying, '--pipeline']);
  const bareScan = await start('bare-scan', [peer]);
  const bareScanStages = await start('bare-scan-stages', [peer, '--pipeline']);
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
  await reportCpu({
    proxy: calls(bare),
    proxyWithStages: calls(bareStages),
    program: scans(bareScan),
    programWithStages: scans(bareScanStages),
    call: calls(gateway),
    scan: scans(gateway),
  });
  // After some ten thousand calls, as at any time but the first minute of a service: 100 a second would compile for long.
  const between = {
    'relay of bytes': relay,
    'node:http proxy': passing,
    'undici proxy': bare,
    'undici proxy, seven stages': bareStages,
  };
  await reportLatency({ direct: model, ...between, gateway }, { path, headers });
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
      // The first round opens the connections.
      if (round >= 0) medians[index].push(median(times));
    }
  }
  for (const agent of agents) agent.destroy();
  const direct = median(medians[0]);
  const ofProxy = median(medians[names.indexOf('undici proxy')]) - direct;
  console.log(`${PER_SECOND} calls a second, median of ${rounds} x ${seconds} s, ms`);
  console.table(
    names.map((name, index) => ({
      server: name,
      'p50 ms': median(medians[index]).toFixed(2),
      'added p50 ms': (median(medians[index]) - direct).toFixed(2),
      'of what the proxy adds': ((median(medians[index]) - direct) / ofProxy).toFixed(2),
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

/** Scans and calls are held against the proxy, as the bar says; the program without a model is there to compare. */
async function reportCpu(subjects) {
  const names = Object.keys(subjects);
  const results = (await measureInTurns(Object.values(subjects), { rounds, seconds })).map(
    summarize,
  );
  const of = Object.fromEntries(names.map((name, index) => [name, results[index]]));
  const callUs = of.proxyWithStages.cpuUs - of.proxy.cpuUs;
  const scanUs = of.programWithStages.cpuUs - of.program.cpuUs;
  console.log(
    `the pipeline's own CPU in a server: ${callUs.toFixed(0)} us a call, ${scanUs.toFixed(0)} us a scan of 512 characters`,
  );
  const row = (server, name, pipelineUs) => {
    const { cpuUs, perSecond, p99Ms } = of[name];
    const restUs = cpuUs - pipelineUs;
    return {
      server,
      'CPU us/request': cpuUs.toFixed(0),
      'without the pipeline': restUs.toFixed(0),
      'of the proxy': (restUs / of.proxy.cpuUs).toFixed(2),
      'of the program': (restUs / of.program.cpuUs).toFixed(2),
      'requests/s': perSecond.toFixed(0),
      'p99 ms': p99Ms.toFixed(1),
    };
  };
  console.table([
    row('undici proxy', 'proxy', 0),
    row('undici program, scan', 'program', 0),
    row('gateway, HTTP scan', 'scan', scanUs),
    row('gateway, proxied call', 'call', callUs),
  ]);
}

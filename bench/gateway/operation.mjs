// node bench/gateway/operation.mjs [health|kill|term|reloads|memory ...] [--reloads N] [--requests N]
// What must hold while the gateway is operated: answers of /health beside a scan of 10 MiB, the end of a process, the
// end of the gateway, reloads under load, memory. The machine's other load shows in every time.
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { percentile, startGateway, TEXT } from './gateway-process.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reloads: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '1000000' },
  },
});
const parts = { health, kill, term, reloads, memory };
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  console.log(name, JSON.stringify(await parts[name]()));
}

function send(url, { method = 'GET', headers = {}, body, agent } = {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const request = httpRequest(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          ms: performance.now() - startedAt,
        }),
      );
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

function scanOf(gateway, response, agent) {
  return send(`${gateway.url}/api/v1/governance/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ response }),
    agent,
  });
}

/** One process, so that the probes and the scan meet in it. */
async function health() {
  const gateway = await startGateway(1);
  const probe = async (isOver) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times = [];
    while (!isOver()) {
      times.push((await send(`${gateway.url}/health`, { agent })).ms);
      await sleep(5);
    }
    agent.destroy();
    return times;
  };
  const text = TEXT.repeat(20_000).slice(0, 10_485_760 - 20);
  let isOver = false;
  const idleUntil = performance.now() + 3_000;
  const idle = await probe(() => performance.now() > idleUntil);
  const scan = scanOf(gateway, text).finally(() => {
    isOver = true;
  });
  const busy = await probe(() => isOver);
  const { status, ms } = await scan;
  await gateway.stop();
  const shown = (times) => ({
    probes: times.length,
    p50: percentile(times, 0.5).toFixed(1),
    p99: percentile(times, 0.99).toFixed(1),
    most: Math.max(...times).toFixed(1),
  });
  return { scan: { status, ms: Math.round(ms) }, idle: shown(idle), busy: shown(busy) };
}

async function kill() {
  const gateway = await startGateway(2);
  const rounds = [];
  for (let round = 0; round < 6; round++) {
    // The last one follows at once, before another spare process is ready.
    const hasSpare = round < 5;
    if (hasSpare) await gateway.spareReady();
    const before = gateway.pids();
    const startedAt = performance.now();
    process.kill(before[round % 2], 'SIGKILL');
    let failed = 0;
    let answered = 0;
    // Whole: as many processes as before serve, seen by the gauge that they answer with.
    for (;;) {
      const [pids, answer] = [gateway.pids(), await send(`${gateway.url}/ready`).catch(() => null)];
      if (answer?.status === 200) answered += 1;
      else failed += 1;
      const isNew = pids.length === 2 && !pids.includes(before[round % 2]);
      if (isNew && (await workersOf(gateway)) === 2) break;
    }
    rounds.push({
      hasSpare,
      wholeAfterMs: Math.round(performance.now() - startedAt),
      answered,
      failed,
    });
  }
  await gateway.stop();
  return rounds;
}

async function workersOf({ metricsUrl }) {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^gateway_workers (\d+)/m.exec(text)[1]);
}

async function term() {
  const gateway = await startGateway(2);
  const seen = { ok: 0, refused: 0, reset: 0, other: 0 };
  let isOver = false;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      try {
        const { status } = await scanOf(gateway, TEXT, agent);
        seen[status === 200 ? 'ok' : 'other'] += 1;
      } catch (error) {
        if (error.code === 'ECONNREFUSED') return;
        seen[error.code === 'ECONNRESET' ? 'reset' : 'other'] += 1;
      }
    }
  };
  const clients = Array.from({ length: 32 }, client);
  await sleep(2_000);
  const startedAt = performance.now();
  const exited = once(gateway.child, 'exit');
  gateway.child.kill('SIGTERM');
  const [code] = await exited;
  isOver = true;
  await Promise.all(clients);
  await gateway.stop();
  return { ...seen, exitCode: code, endedAfterMs: Math.round(performance.now() - startedAt) };
}

async function reloads() {
  const base = 'rate_limiting: {enabled: false}\n';
  const texts = [
    `${base}scanning: {thresholds: {pii_risk: 1}}\n`,
    `${base}scanning: {thresholds: {pii_risk: 0.1}}\n`,
  ];
  const gateway = await startGateway(2, texts[0]);
  const reload = async (text) => {
    gateway.write(text);
    const headers = { authorization: `Bearer ${gateway.admin}` };
    return (await send(`${gateway.url}/reload-config`, { method: 'POST', headers })).status;
  };
  const expected = new Map();
  const statusOf = async () => {
    const { status, headers } = await scanOf(gateway, 'Write to bob@example.com.');
    return [headers['x-probity-config-hash'], status];
  };
  for (const text of [texts[1], texts[0]]) {
    await reload(text);
    expected.set(...(await statusOf()));
  }
  let isOver = false;
  const seen = { scans: 0, failed: 0, inconsistent: 0 };
  const load = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      try {
        const { status, headers } = await scanOf(gateway, 'Write to bob@example.com.', agent);
        seen.scans += 1;
        if (expected.get(headers['x-probity-config-hash']) !== status) seen.inconsistent += 1;
      } catch {
        seen.failed += 1;
      }
    }
    agent.destroy();
  };
  const loads = Array.from({ length: 4 }, load);
  const results = {};
  for (let round = 0; round < Number(values.reloads); round++) {
    const status = await reload(round % 2 === 1 ? 'broken: [' : texts[(round / 2) % 2]);
    const kind = round % 2 === 1 ? 'broken' : 'valid';
    results[`${kind} ${status}`] = (results[`${kind} ${status}`] ?? 0) + 1;
  }
  isOver = true;
  await Promise.all(loads);
  const rssMiB = gateway.rssMiB().map(Math.round);
  await gateway.stop();
  return { ...results, ...seen, configurations: expected.size, rssMiB };
}

async function memory() {
  const gateway = await startGateway(2);
  const all = Number(values.requests);
  const steps = [];
  for (let step = 0; step < 5; step++) {
    const { non2xx, errors } = await autocannon({
      url: `${gateway.url}/api/v1/governance/scan`,
      connections: 256,
      amount: Math.ceil(all / 5),
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ response: TEXT }),
    });
    steps.push({ rssMiB: gateway.rssMiB().map(Math.round), non2xx, errors });
  }
  await gateway.stop();
  return steps;
}

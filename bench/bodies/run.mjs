// npm run bodies -w @probity/bench [-- --clients N --bytes N]
// Clients without a key that send a body byte by byte, and what a status request beside them meets. Each
// server is measured alone and beside them; the machine is shared, so the ratios count.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROBITY, startServer } from '../shared/server-process.mjs';

const { values: flags } = parseArgs({
  options: {
    clients: { type: 'string', default: '20' },
    bytes: { type: 'string', default: '1000000' },
  },
});
const CLIENTS = Number(flags.clients);
const BYTES = Number(flags.bytes);
const ROUNDS = 300;
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));

const subjects = [
  ['Probity', [PROBITY, 'serve', '--port', '0', '--database', `sqlite:${folder}/probity.db`]],
  ['bare', [BARE]],
];
const rows = [];
for (const [name, args] of subjects) rows.push(await measure(name, args));
console.table(rows);
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function measure(name, args) {
  const server = await startServer(name, args, { folder, env: { PROBITY_METRICS_PORT: 'off' } });
  await latencies(server.url, 50);
  const alone = await latencies(server.url, ROUNDS);
  const before = residentMiB(server.pid);
  let isOver = false;
  let largest = before;
  const senders = Array.from({ length: CLIENTS }, () => send(server.url, () => isOver));
  const watch = setInterval(() => {
    largest = Math.max(largest, residentMiB(server.pid));
  }, 20);
  const beside = await latencies(server.url, ROUNDS);
  isOver = true;
  await Promise.all(senders);
  clearInterval(watch);
  await server.stop();
  return {
    subject: name,
    'alone p50 ms': quantile(alone, 0.5),
    'alone p99 ms': quantile(alone, 0.99),
    'beside p50 ms': quantile(beside, 0.5),
    'beside p99 ms': quantile(beside, 0.99),
    'RSS before MiB': before,
    'RSS growth MiB': largest - before,
  };
}

/** Sends bodies byte by byte, one after the other, until told to stop. */
async function send(url, isOver) {
  while (!isOver()) await sendOne(url, isOver);
}

function sendOne(url, isOver) {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(BYTES) };
    const outgoing = request(`${url}/v1/auth/login`, { method: 'POST', headers, agent: false });
    outgoing.setNoDelay(true);
    outgoing.once('close', resolve).on('error', () => undefined);
    outgoing.on('response', (response) => response.resume());
    let sent = 0;
    const next = () => {
      if (outgoing.destroyed || isOver()) return outgoing.destroy();
      for (let burst = 0; burst < 50 && sent < BYTES; burst += 1, sent += 1) outgoing.write('1');
      if (sent < BYTES) setImmediate(next);
      else outgoing.end();
    };
    next();
  });
}

async function latencies(url, count) {
  const all = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await (await fetch(`${url}/api/status`)).arrayBuffer();
    all.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return all.sort((left, right) => left - right);
}

function quantile(sorted, part) {
  return Math.round((sorted[Math.floor(part * (sorted.length - 1))] ?? 0) * 10) / 10;
}

/** Resident memory of the process, from the proc file system. */
function residentMiB(pid) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}

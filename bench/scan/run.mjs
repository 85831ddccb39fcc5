// npm run scan -w @probity/bench [-- ROUNDS [SECONDS]]
// An authenticated scan beside bare Koa routes, all up at once, measured in turns. What counts are
// the ratios within this run; the machine is shared and the numbers per second mean little.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 4);
const CONNECTIONS = 16;
const CLOCK_TICKS_PER_SECOND = 100;
const SERVER = fileURLToPath(
  new URL('../../packages/standalone/bin/probity-server.js', import.meta.url),
);
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));

const RESPONSE =
  'Thank you for writing to us. Your order has been packed and will leave the warehouse tomorrow ' +
  'morning; it usually takes two or three working days from there. You can follow it on the page ' +
  'that we linked in the confirmation. If the parcel does not arrive by the end of next week, ' +
  'answer this message and we will send a replacement at no cost. The invoice is attached as a ' +
  'document, and the warranty of the device is twenty-four months from the day of delivery. Kind ' +
  'regards, and enjoy the new coffee grinder.';

const folder = await mkdtemp(join(tmpdir(), 'probity-bench-'));
const running = [];
try {
  await run();
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const database = `sqlite:${join(folder, 'probity.db')}`;
  const env = {
    ...process.env,
    PROBITY_RATE_LIMITS: 'platform=100000000/60,general=100000000/60',
    PROBITY_METRICS_PORT: 'off',
  };
  const { api_key: key } = JSON.parse(
    execFileSync(
      process.execPath,
      [
        SERVER,
        'bootstrap',
        '--organization',
        'Bench',
        '--owner-email',
        'bench@example.com',
        '--database',
        database,
        '--json',
      ],
      { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] },
    ),
  );
  const subjects = [
    { name: 'bare Koa, parse', ...(await start([BARE], env)) },
    {
      name: 'bare Koa, parse + insert (FULL)',
      ...(await start([BARE, join(folder, 'bare.db')], env)),
    },
    {
      name: 'Probity scan',
      path: '/api/v1/governance/scan',
      headers: { authorization: `Bearer ${key}` },
      ...(await start([SERVER, 'serve', '--port', '0', '--database', database], env)),
    },
  ];
  for (const subject of subjects) await measure(subject, 1);
  const results = subjects.map((subject) => ({ subject, rounds: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { subject, rounds } of results) rounds.push(await measure(subject, SECONDS));
  }
  report(results);
}

function start(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  running.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args[0]} ended`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const record = JSON.parse(line);
      if (record.message === 'listening') resolve({ pid: child.pid, url: record.url });
    });
  });
}

async function measure({ pid, url, path = '/', headers = {} }, seconds) {
  const before = cpuSeconds(pid);
  const result = await autocannon({
    url: url + path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ response: RESPONSE }),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: answers were not 2xx`);
  const requests = result['2xx'];
  return {
    cpuUs: ((cpuSeconds(pid) - before) / requests) * 1e6,
    perSecond: requests / result.duration,
    p99Ms: result.latency.p99,
  };
}

/** User and system time of a process, from the kernel's books (proc(5)). */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

function report(results) {
  const [base] = results.map(({ rounds }) => median(rounds.map(({ cpuUs }) => cpuUs)));
  const rows = results.map(({ subject, rounds }) => {
    const cpuUs = median(rounds.map((round) => round.cpuUs));
    return {
      server: subject.name,
      'CPU us/request': cpuUs.toFixed(0),
      'CPU ratio': (cpuUs / base).toFixed(2),
      'requests/s': median(rounds.map((round) => round.perSecond)).toFixed(0),
      'p99 ms': median(rounds.map((round) => round.p99Ms)).toFixed(1),
    };
  });
  const { length } = RESPONSE;
  console.log(
    `${length} characters, ${CONNECTIONS} connections, median of ${ROUNDS} x ${SECONDS} s, Node ${process.version}`,
  );
  console.table(rows);
}

function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import { PII_TEXTS } from '../texts.ts';
import { startCluster, WORKERS } from './cluster-world.ts';

const UNLIMITED = 'rate_limiting: {enabled: false}\n';
const STRICT = `${UNLIMITED}scanning: {thresholds: {pii_risk: 0.1}}\n`;
const LAX = `${UNLIMITED}scanning: {thresholds: {pii_risk: 1}}\n`;

function times<Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)));
}

test('server.workers is the number of processes that serve, and metrics are their sums', async (t) => {
  const cluster = await startCluster(t, UNLIMITED);
  assert.equal(cluster.workers().length, WORKERS);
  assert.equal(await cluster.metric('gateway_workers'), WORKERS);
  const answers = await times(24, () => cluster.scan({ response: 'Hello.' }));
  assert.ok(answers.every(({ status }) => status === 200));
  const success = () => cluster.metric('gateway_requests_total', 'status="success"');
  // A scan is counted behind its answer.
  await until(async () => (await success()) === 24, 'all are counted');
  assert.equal(await cluster.metric('gateway_config_info'), 1);
});

test('a process that is killed is replaced, what it counted stays, and the others serve meanwhile', async (t) => {
  const cluster = await startCluster(t, UNLIMITED);
  await times(12, () => cluster.scan({ response: 'Hello.' }));
  const success = () => cluster.metric('gateway_requests_total', 'status="success"');
  // A scan is counted behind its answer.
  await until(async () => (await success()) === 12, 'all are counted');
  const [victim] = cluster.workers();
  process.kill(victim as number, 'SIGKILL');
  const ended = (level: string) =>
    cluster.program.waitForLine(
      (line) => line.message === 'a worker has ended, and is replaced' && line.level === level,
    );
  await ended('ERROR');
  assert.equal((await cluster.scan({ response: 'Hello.' })).status, 200);
  await until(async () => (await cluster.metric('gateway_workers')) === WORKERS, 'it is replaced');
  assert.ok(!cluster.workers().includes(victim as number));
  await until(async () => (await success()) === 13, 'the last one is counted');
  process.kill(cluster.workers()[0] as number, 'SIGTERM');
  await ended('INFO');
});

test('the place of a process that ends is taken by one that was ready', async (t) => {
  const cluster = await startCluster(t, STRICT);
  await until(() => cluster.spares().length === 1, 'a process is ready');
  const [spare] = cluster.spares();
  const [victim] = cluster.workers();
  assert.equal(cluster.workers().length, WORKERS);
  process.kill(victim as number, 'SIGKILL');
  await until(() => cluster.workers().includes(spare as number), 'its place is taken');
  await until(async () => (await cluster.metric('gateway_workers')) === WORKERS, 'it serves');
  const answers = await times(12, () => cluster.scan({ response: PII_TEXTS.email }));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([403]));
  await until(() => cluster.spares().length === 1, 'another one is ready');
  cluster.program.signal('SIGTERM');
  assert.equal(await cluster.program.exited, 0);
});

test('a client sends its burst over all processes and no request more', async (t) => {
  // One request a minute is gained: none while the test runs, on any machine that takes less.
  const limits = 'per_client: {requests_per_minute: 1, burst_size: 40}';
  const cluster = await startCluster(t, `rate_limiting: {${limits}}\n`);
  const answers = await times(80, () => cluster.scan({ response: 'Hello.' }));
  const passed = answers.filter(({ status }) => status === 200).length;
  assert.ok(passed >= 40 && passed <= 42, `${passed} of 80 passed`);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 80 - passed);
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0));
});

test('a signature is taken once, whichever process it comes to', async (t) => {
  const key = 'a-key-of-sixteen-characters';
  const text = `${UNLIMITED}security: {signing_key: "\${SIGNING_KEY}"}\n`;
  const cluster = await startCluster(t, text, { SIGNING_KEY: key });
  const stamp = String(Date.now() / 1_000);
  const body = JSON.stringify({ response: 'Hello.' });
  const hex = createHmac('sha256', key).update(`${stamp}.${body}`).digest('hex');
  const headers = { 'x-signature': `sha256=${hex}`, 'x-signature-timestamp': stamp };
  const answers = await times(12, () => cluster.scan(body, headers));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 11 }, () => 401)]);
});

test('one log file has every record of every process, whole, over rotations', async (t) => {
  const cluster = await startCluster(t, UNLIMITED);
  const file = join(cluster.folder, 'gateway.log');
  // Most of the first file is there already: it is rotated while the processes write.
  const old = `${JSON.stringify({ message: 'old', filled: 'x'.repeat(980) })}\n`;
  writeFileSync(file, old.repeat(Math.floor((1_048_576 - 40_000) / old.length)));
  cluster.write(`${UNLIMITED}logging: {file: ${file}, max_size_mb: 1, max_backups: 20}\n`);
  assert.equal((await cluster.reload()).status, 200);
  // An identifier is the largest thing of a record that a client writes.
  const ids = Array.from({ length: 300 }, (_, at) => `request-${at}-${'x'.repeat(100)}`);
  for (let round = 0; round < 10; round++) {
    await times(30, (at) =>
      cluster.scan(
        { response: 'Hello.' },
        {
          Authorization: `Bearer ${cluster.token}`,
          'X-Request-Id': ids[round * 30 + at] as string,
        },
      ),
    );
  }
  assert.equal(await cluster.program.terminate(), 0);
  const names = readdirSync(cluster.folder).filter((name) => name.startsWith('gateway.log'));
  assert.deepEqual(names.sort(), ['gateway.log', 'gateway.log.1']);
  const lines = names.flatMap((name) =>
    readFileSync(join(cluster.folder, name), 'utf8').trimEnd().split('\n'),
  );
  const logged = lines
    .map((line) => JSON.parse(line) as { message: string; request_id: string })
    .filter(({ message }) => message === 'scan');
  assert.deepEqual(logged.map(({ request_id }) => request_id).sort(), [...ids].sort());
});

test('alerts look at the requests of all processes together', async (t) => {
  const cluster = await startCluster(t, UNLIMITED);
  // Eleven findings in a minute are more than the default of ten, and no process sees them alone.
  await times(12, () => cluster.scan({ response: PII_TEXTS.email }));
  await until(
    async () => (await cluster.metric('gateway_alert_active', 'pii_spike')) === 1,
    'the alert is active',
  );
  const healths = await times(6, async () => (await cluster.send('/health')).json());
  assert.deepEqual(
    healths.map((health) => (health as { status: string }).status),
    Array.from({ length: 6 }, () => 'degraded'),
  );
});

test('a reload is in force in all processes when it is answered, and a broken file in none', async (t) => {
  const cluster = await startCluster(t, STRICT);
  const seen = async () => {
    const answers = await times(12, () => cluster.scan({ response: PII_TEXTS.email }));
    return new Set(
      answers.map(({ status, headers }) => `${status} ${headers.get('x-probity-config-hash')}`),
    );
  };
  const [before, ...others] = await seen();
  assert.match(String(before), /^403 /);
  assert.deepEqual(others, []);
  cluster.write(`${LAX}server_: {}\n`);
  assert.equal((await cluster.reload()).status, 422);
  // A log file that cannot be opened fails in the primary, a knowledge base in the others.
  cluster.write(`${LAX}logging: {file: ${cluster.folder}/missing/gateway.log}\n`);
  assert.equal((await cluster.reload()).status, 422);
  assert.deepEqual(await seen(), new Set([before]));
  cluster.write(LAX);
  const [first, second] = await Promise.all([cluster.reload(), cluster.reload()]);
  assert.deepEqual([first.status, second.status].sort(), [200, 409]);
  const [after, ...rest] = await seen();
  assert.match(String(after), /^200 /);
  assert.deepEqual(rest, []);
  const [victim] = cluster.workers();
  process.kill(victim as number, 'SIGKILL');
  await until(async () => (await cluster.metric('gateway_workers')) === WORKERS, 'it is replaced');
  assert.deepEqual(await seen(), new Set([after]));
});

test('what one process cannot build is put in force in none', async (t) => {
  const cluster = await startCluster(t, STRICT, {
    PROBITY_GATEWAY_KNOWLEDGE_FILE: new URL('../../../package.json', import.meta.url).pathname,
  }).catch((error: unknown) => error);
  assert.match(String(cluster), /the knowledge base .* is no JSON list/);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { LOOPBACK } from '../world.ts';
import { run, runProgram, start } from './run.ts';

const ANY_PORT = 'server: {host: 127.0.0.1, port: 0, workers: 1}\n';

function monitoring(metricsPort: number, httpPort: number): string {
  return `monitoring: {prometheus: {port: ${metricsPort}}, health_check: {port: ${httpPort}}}\n`;
}

/** A busy machine takes more than the 30 seconds that a scan may take. */
const UNHURRIED = ', request_timeout_ms: 3600000';

async function serve(t: TestContext, text = '', server = '') {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const loopback = LOOPBACK.replace('host: 127.0.0.1', `host: 127.0.0.1${server}`);
  writeFileSync(file, loopback + text);
  const created = await run(['key', 'create', '--config', file, '--name', 'app']);
  const key = created.stdout.trim();
  const program = await start(['--config', file], { test: t });
  const listening = await program.waitForLine(({ message }) => message === 'listening');
  const scan = (response: string) =>
    fetch(`${listening.url}/api/v1/governance/scan`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ response }),
    });
  return { file, program, listening, scan };
}

test('the program serves, reloads on SIGHUP and ends with 0 on SIGTERM', async (t) => {
  const { file, program, listening, scan } = await serve(t);
  assert.match(String(listening.url), /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await scan('write to bob@example.com')).status, 200);
  writeFileSync(file, `${LOOPBACK}scanning: {thresholds: {pii_risk: 0.1}}\n`);
  program.signal('SIGHUP');
  await program.waitForLine(({ message }) => message === 'the configuration was reloaded');
  assert.equal((await scan('write to bob@example.com')).status, 403);
  writeFileSync(file, 'broken: [');
  program.signal('SIGHUP');
  await program.waitForLine(({ level }) => level === 'ERROR');
  assert.equal((await scan('write to bob@example.com')).status, 403);
  assert.equal(await program.terminate(), 0);
});

test('the start line has the host, the ports and the number of processes', async (t) => {
  const { program, listening } = await serve(t);
  const { host, http_port, grpc_port, metrics_port, workers, url } = listening;
  assert.equal(host, '127.0.0.1');
  assert.equal(workers, 2);
  assert.equal(String(url), `http://127.0.0.1:${http_port}`);
  assert.equal(String(listening.grpc), `127.0.0.1:${grpc_port}`);
  assert.equal(String(listening.metrics_url), `http://127.0.0.1:${metrics_port}`);
  assert.equal(await program.terminate(), 0);
  assert.ok(!program.stdout.includes('in the clear'));
});

test('the start warns of listeners that others on the network reach in the clear', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const text = LOOPBACK.replace('host: 127.0.0.1', 'host: 0.0.0.0');
  writeFileSync(file, text.replace('workers: 2', 'workers: 1'));
  const program = await start(['--config', file], { test: t });
  const warning = await program.waitForLine(({ message }) =>
    String(message).startsWith('API keys and texts cross the network in the clear'),
  );
  assert.equal(warning.level, 'WARN');
  assert.equal(warning.host, '0.0.0.0');
  const listening = await program.waitForLine(({ message }) => message === 'listening');
  assert.equal(listening.host, '0.0.0.0');
  assert.equal(await program.terminate(), 0);
});

test('requests in progress are answered when the program is told to end', async (t) => {
  const { program, scan } = await serve(t, 'rate_limiting: {enabled: false}\n', UNHURRIED);
  const scans = Array.from({ length: 20 }, () => scan('Hello there. '.repeat(20_000)));
  // The last one has been taken when the first is answered, or is refused by the closed listener.
  await Promise.race(scans);
  program.signal('SIGTERM');
  const answers = await Promise.allSettled(scans);
  const statuses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value.status] : [],
  );
  assert.ok(statuses.length > 0);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(await program.exited, 0);
});

test('a port that is in use is named by its key', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const sections: Array<[key: string, section: (port: number) => string]> = [
    [
      'server.port',
      (own) => `server: {host: 127.0.0.1, port: ${own}, workers: 1}\n${monitoring(0, 0)}`,
    ],
    ['monitoring.prometheus.port', (own) => `${ANY_PORT}${monitoring(own, 0)}`],
    ['monitoring.health_check.port', (own) => `${ANY_PORT}${monitoring(0, own)}`],
  ];
  for (const [key, section] of sections) {
    const file = join(temporaryFolder(t).path, 'gateway.yaml');
    writeFileSync(file, section(port));
    const { code, stderr } = await runProgram(['--config', file]);
    assert.equal(code, 1);
    const problem = new RegExp(
      `probity-gateway: ${key} cannot be used: (?:listen|bind) EADDRINUSE.* 127\\.0\\.0\\.1:${port}\n$`,
    );
    assert.match(stderr, problem);
  }
});

test('an invalid configuration is not served', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  writeFileSync(file, 'server: {prot: 1}');
  const { code, stderr } = await runProgram(['--config', file]);
  assert.equal(code, 1);
  assert.match(stderr, /gateway\.yaml:1:10: server\.prot: unknown key/);
});

test('a configuration whose certificates cannot be read is not served', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const paths = 'client_cert_path: c.pem, client_key_path: k.pem, ca_cert_path: ca.pem';
  writeFileSync(file, `${LOOPBACK}\nsecurity: {mtls_enabled: true, ${paths}}`);
  const { code, stderr } = await runProgram(['--config', file]);
  assert.equal(code, 1);
  assert.match(stderr, /4:\d+: security\.client_cert_path: \S+\/c\.pem cannot be read \(ENOENT\)/);
  assert.match(stderr, /security\.ca_cert_path: \S+\/ca\.pem cannot be read/);
});

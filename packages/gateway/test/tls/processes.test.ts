import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Agent } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { createTestAuthority, temporaryFolder, until } from '@probity/test-support';
import { connect } from '../grpc/client.ts';
import { run, start } from '../program/run.ts';
import { LOOPBACK } from '../world.ts';
import { agentOf, call, createTlsFiles } from './certificates.ts';

const WORKERS = 2;

/** The real program with two processes that demand client certificates. */
async function startProcesses(t: TestLifetime) {
  const files = await createTlsFiles(t, `${LOOPBACK}rate_limiting: {enabled: false}\n`);
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  writeFileSync(file, files.text);
  const create = async (...more: string[]) =>
    (await run(['key', 'create', '--config', file, ...more])).stdout.trim();
  const token = await create('--name', 'app');
  const admin = await create('--name', 'ops', '--role', 'admin');
  const program = await start(['--config', file, '--enable-reload'], { test: t });
  const listening = await program.waitForLine(({ message }) => message === 'listening');
  const url = String(listening.url);
  const ca = files.authority.certificate;
  const identity = await files.client();
  const open = () => {
    const agent = agentOf(ca, identity);
    t.after(() => agent.destroy());
    return agent;
  };
  const scan = (agent: Agent) =>
    call(`${url}/api/v1/governance/scan`, agent, { response: 'Hello.' }, token);
  return {
    ...{ files, program, url, ca, identity, token, open, scan },
    grpcAddress: String(listening.grpc),
    metricsUrl: `${listening.metrics_url}/metrics`,
    reload: (agent: Agent) => call(`${url}/reload-config`, agent, {}, admin),
    /** Each over a connection of its own, which the processes take in turns. */
    presentedToNew: async () => {
      const answers = await Promise.all(Array.from({ length: 3 * WORKERS }, () => scan(open())));
      return answers.map(({ status, presented }) => `${status} ${presented}`);
    },
    workers: () =>
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(program.pid)], { encoding: 'utf8' })
        .split('\n')
        .map(Number)
        .filter((pid) => pid > 0),
  };
}

function all(text: string): string[] {
  return Array.from({ length: 3 * WORKERS }, () => text);
}

test('all processes present a new certificate after a reload, and their open connections go on', async (t) => {
  const world = await startProcesses(t);
  const { files, scan, open, ca, identity } = world;
  const agents = Array.from({ length: 3 * WORKERS }, open);
  const overOpen = async () =>
    (await Promise.all(agents.map(scan))).map(({ status, presented }) => `${status} ${presented}`);
  assert.deepEqual(await overOpen(), all('200 first'));
  const streams = Array.from({ length: WORKERS }, () => {
    const stream = connect(t, world, { authority: ca, identity }).stream();
    return { stream, answers: stream[Symbol.asyncIterator]() };
  });
  const overStreams = async (id: string) => {
    for (const { stream, answers } of streams) {
      stream.write({ scan: { request_id: id, response: 'Hello.' } });
      assert.equal((await answers.next()).value.request_id, id);
    }
  };
  await overStreams('a');

  files.write(await files.authority.issue('second'));
  const reloaded = await world.reload(open());
  assert.equal(reloaded.status, 200, reloaded.body);

  assert.deepEqual(await overOpen(), all('200 first'));
  await overStreams('b');
  for (const { stream } of streams) stream.end();
  assert.deepEqual(await world.presentedToNew(), all('200 second'));
  assert.equal((await call(world.metricsUrl, open())).presented, 'second');
});

test('a certificate that does not fit its key is refused in all processes, and one that is killed comes back with the certificate in force', async (t) => {
  const world = await startProcesses(t);
  const { files, open } = world;
  files.write(await files.authority.issue('second'));
  assert.equal((await world.reload(open())).status, 200);
  const { certificate } = await files.authority.issue('third');
  const { key } = await files.authority.issue('fourth');
  files.write({ certificate, key });
  const refused = await world.reload(open());
  assert.equal(refused.status, 422);
  assert.match(refused.body, /security\.client_key_path/);
  assert.deepEqual(await world.presentedToNew(), all('200 second'));

  files.write(await files.authority.issue('fifth'));
  assert.equal((await world.reload(open())).status, 200);
  const [victim] = world.workers();
  process.kill(victim as number, 'SIGKILL');
  const count = async () => {
    const { body } = await call(world.metricsUrl, open());
    return Number(/^gateway_workers (\d+)$/m.exec(body)?.[1]);
  };
  const isReplaced = async () =>
    !world.workers().includes(victim as number) && (await count()) === WORKERS;
  await until(isReplaced, 'it is replaced');
  assert.deepEqual(await world.presentedToNew(), all('200 fifth'));
});

test('no process serves a client without a certificate of the authority', async (t) => {
  const world = await startProcesses(t);
  const { scan, ca } = world;
  const stranger = await (await createTestAuthority()).issue('client');
  for (let at = 0; at < 2 * WORKERS; at++) {
    await assert.rejects(scan(agentOf(ca)));
    await assert.rejects(scan(agentOf(ca, stranger)));
  }
  const client = connect(t, world, { authority: ca });
  await assert.rejects(client.scan({ response: 'Hello.' }), { code: 14 });
  assert.deepEqual(await world.presentedToNew(), all('200 first'));
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { verifyWebhook } from '@probity/client/webhooks';
import { until } from '@probity/test-support';
import type { CapturedRequest, Reply } from '../capturing-server.ts';
import { errorReply, pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY } from '../program.ts';

interface TestEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly test: boolean;
}

const DATA = { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'Grüße „ü“' };

/** An event some seconds after now, as the clock of the server is. */
function event(id: string, seconds: number, facts: Partial<TestEvent> = {}): TestEvent {
  const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
  return { id, type: 'alert.created', timestamp, test: false, ...facts };
}

/** A server whose events a test adds, and a receiver. */
async function start(t: TestContext, args: readonly string[] = [], receive = (): Reply => ({})) {
  const events: TestEvent[] = [];
  const server = {
    events,
    answer: null as null | (() => Reply),
  };
  const api = await startCapturingServer(t, ({ path }: CapturedRequest) => {
    if (server.answer) return server.answer();
    const url = new URL(path, 'http://a');
    const id = url.pathname.split('/').at(-1);
    const found = events.find((each) => each.id === id);
    if (found) return { body: { data: { ...found, data: DATA } } };
    const since = url.searchParams.get('since') ?? '';
    const listed = events.filter(({ timestamp }) => timestamp >= since);
    const newest = listed.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    return { body: pageOf(newest) };
  });
  const receiver = await startCapturingServer(t, receive);
  const home = createHome(t);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: api.url };
  const listen = ['webhooks', 'listen', '--forward-to', `${receiver.url}/hook`, ...args];
  const program = home.start(listen, { env });
  await until(() => program.stderr.includes('Forwarding'), 'the command listens');
  const forwarded = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
  return { server, api, receiver, program, forwarded, home };
}

describe('webhooks listen', () => {
  it('forwards events in their order, signed as deliveries are, and ends with 0', async (t) => {
    const { server, receiver, program, forwarded } = await start(t);
    server.events.push(event('evt_2', 2), event('evt_1', 1), event('evt_t', 3, { test: true }));
    await until(() => receiver.requests.length === 2, 'both events');
    assert.deepEqual(forwarded(), ['evt_1', 'evt_2']);
    const [, secret = ''] = /Signing secret: (whsec_\S+)\n/.exec(program.stderr) ?? [];
    const [request] = receiver.requests;
    assert.deepEqual([request?.method, request?.path], ['POST', '/hook']);
    const verified = await verifyWebhook(request?.body ?? '', request?.headers ?? {}, secret);
    const { timestamp } = server.events.find(({ id }) => id === 'evt_1') ?? {};
    assert.deepEqual(verified, { id: 'evt_1', type: 'alert.created', timestamp, data: DATA });
    program.kill('SIGINT');
    const { code, stdout } = await program.ended;
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^\S+Z {2}alert\.created {2}evt_1 {2}200 {2}\d+ ms\n\S+Z {2}alert\.created {2}evt_2/,
    );
    assert.ok(!stdout.includes('evt_t'));
  });

  it('forwards an event that appears behind newer ones, and none twice', async (t) => {
    const { server, receiver, forwarded } = await start(t);
    server.events.push(event('evt_new', 20));
    await until(() => receiver.requests.length === 1, 'the newer event');
    server.events.push(event('evt_late', 10));
    await until(() => receiver.requests.length === 2, 'the event whose transaction was longer');
    server.events.push(event('evt_last', 30));
    await until(() => receiver.requests.length === 3, 'another round');
    assert.deepEqual(forwarded(), ['evt_new', 'evt_late', 'evt_last']);
  });

  it('forwards the types that are asked for, with the secret of a file', async (t) => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const file = `${createHome(t).path}/secret`;
    writeFileSync(file, `${secret}\n`);
    const types = ['--event', 'alert.resolved', '--event', 'scan.completed'];
    const args = [...types, '--secret-file', file, '--json'];
    const { server, receiver, program } = await start(t, args);
    server.events.push(event('evt_1', 1), event('evt_2', 2, { type: 'scan.completed' }));
    await until(() => program.stdout.endsWith('\n'), 'the line of the event');
    const { status, eventId, eventType, error } = JSON.parse(program.stdout);
    assert.deepEqual([status, eventId, eventType, error], [200, 'evt_2', 'scan.completed', null]);
    assert.equal(receiver.requests.length, 1);
    const { body = '', headers = {} } = receiver.requests[0] ?? {};
    await verifyWebhook(body, headers, secret);
    assert.ok(!program.stderr.includes('whsec_'));
  });

  it('goes on after a receiver and a server that fail', async (t) => {
    let answers = 0;
    const receive = () => {
      answers += 1;
      return { status: answers === 1 ? 500 : 200 };
    };
    const { server, receiver, program } = await start(t, [], receive);
    server.events.push(event('evt_1', 1));
    await until(() => program.stdout.includes('500'), 'the first event');
    server.answer = () => errorReply(500, 'INTERNAL_ERROR', 'It failed.');
    await until(() => program.stderr.includes('It failed.; trying again'), 'the failure');
    server.answer = null;
    server.events.push(event('evt_2', 2));
    await until(() => receiver.requests.length === 2, 'the second event');
    program.kill('SIGTERM');
    assert.equal((await program.ended).code, 0);
  });

  it('ends with 4 when the key is revoked meanwhile', async (t) => {
    const { server, program } = await start(t);
    server.answer = () => errorReply(401, 'INVALID_API_KEY', 'The key was revoked.');
    const { code, stderr } = await program.ended;
    assert.equal(code, 4);
    assert.match(stderr, /The key was revoked/);
  });

  for (const [args, message] of [
    [[], /required option '--forward-to <url>' not specified/],
    [['--forward-to', 'localhost:4242'], /--forward-to: expected an address/],
    [['--forward-to', 'http://localhost', '--since', 'yesterday'], /Expected an ISO 8601 time/],
    [
      ['--forward-to', 'http://localhost', '--secret-file', 'none'],
      /cannot read none: no such file/,
    ],
  ] as const) {
    it(`with ${JSON.stringify(args)} is exit code 2`, async (t) => {
      const env = { PROBITY_API_KEY: KEY };
      const { code, stderr } = await createHome(t).run(['webhooks', 'listen', ...args], { env });
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }
});

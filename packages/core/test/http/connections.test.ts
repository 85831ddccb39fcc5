import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import { parseConnectionLimits } from '../../src/http/connection-limits.ts';
import { MAX_PIPELINED } from '../../src/http/connections.ts';
import { createTraffic } from '../../src/http/traffic.ts';
import { parseCidrList } from '../../src/outbound/networks.ts';
import { asOwnerJson, exchange, sampleEndpoints, sampleRouter, serveKit } from './sample.ts';

const GET_OPEN = 'GET /open HTTP/1.1\r\nHost: x\r\n\r\n';
const GET_SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';

function statusesIn(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

/** A server whose `/slow` answers when `release` is called. */
async function serveSlow(t: TestContext, options: Parameters<typeof serveKit>[2] = {}) {
  let release = () => {};
  let entered = 0;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  t.after(() => release());
  const endpoints = sampleEndpoints(() => {
    entered += 1;
    return gate;
  });
  const { url, stop } = await serveKit(t, [sampleRouter({}, undefined, endpoints)], options);
  return { url, stop, release, entered: () => entered };
}

async function open(t: TestContext, url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('pipelined requests are answered in order', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const last = 'GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answers = await exchange(url, GET_OPEN.repeat(MAX_PIPELINED - 1) + last);
  assert.deepEqual(statusesIn(answers), [...Array(MAX_PIPELINED - 1).fill(200), 404]);
});

test('a connection with more unanswered requests than the limit is closed after their answers', async (t) => {
  const { url, release, entered } = await serveSlow(t);
  const answered = exchange(url, GET_SLOW.repeat(5_000));
  await until(() => entered() > 0, 'the requests have arrived');
  release();
  assert.deepEqual(statusesIn(await answered), Array(MAX_PIPELINED).fill(200));
  assert.equal(entered(), MAX_PIPELINED);
});

test('requests of an address beyond its limit are answered 503 until others are answered', async (t) => {
  const limits = { requestsPerAddress: 2 };
  const trustedProxies = parseCidrList('127.0.0.1/32');
  const { url, release, entered } = await serveSlow(t, { limits, trustedProxies });
  const get = (path: string, address: string) =>
    fetch(url + path, { headers: { 'X-Forwarded-For': address } });
  // Two addresses of one network.
  const slow = ['2001:db8::1', '2001:db8::2'].map((address) => get('/slow', address));
  await until(() => entered() === 2, 'both are being answered');
  const refused = await get('/open', '2001:db8::3');
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal((await get('/open', '2001:db8:0:1::1')).status, 200);
  release();
  await Promise.all(slow);
  assert.equal((await get('/open', '2001:db8::3')).status, 200);
});

test('requests beyond the limit of all clients are answered 503', async (t) => {
  const { url, entered } = await serveSlow(t, { limits: { requests: 1 } });
  (await open(t, url)).write(GET_SLOW);
  await until(() => entered() === 1, 'the request has arrived');
  assert.equal((await fetch(`${url}/open`)).status, 503);
});

test('when all places are taken, a request ends one that waits for a client of the network with most', async (t) => {
  const limits = { requests: 5, requestsPerAddress: 2 };
  const trustedProxies = parseCidrList('127.0.0.1/32');
  const { url, release, entered } = await serveSlow(t, { limits, trustedProxies });
  const get = (path: string, address: string) =>
    fetch(url + path, { headers: { 'X-Forwarded-For': address } });
  const slow = get('/slow', '198.51.100.1');
  await until(() => entered() === 1, 'a request is being answered');
  // The bodies that never end are those of one /48.
  const sockets = await Promise.all(Array.from({ length: 4 }, () => open(t, url)));
  for (const [index, socket] of sockets.entries()) {
    const head = `POST /things HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8:0:${index >> 1}::1\r\n`;
    const body = 'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
    socket.write(`${head}Authorization: ${asOwnerJson.authorization}\r\n${body}`);
  }
  // Its own limit is reached once both of its requests have arrived.
  for (const network of [0, 1]) {
    await until(
      async () => (await get('/open', `2001:db8:0:${network}::1`)).status === 503,
      'the bodies are arriving',
    );
  }
  assert.equal((await get('/open', '192.0.2.1')).status, 200);
  for (const socket of sockets) socket.destroy();
  release();
  assert.equal((await slow).status, 200);
});

test('when all connections are taken, one ends an idle one of the network with most', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()], { limits: { connections: 4 } });
  const from = async (localAddress: string) => {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    t.after(() => socket.destroy());
    let answers = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text;
    });
    await once(socket, 'connect');
    const answer = async () => {
      socket.write(GET_OPEN);
      await until(() => answers !== '' || socket.destroyed, 'an answer or an end');
      return statusesIn(answers);
    };
    return { answer, closed: once(socket, 'close') };
  };
  // Several addresses of one /24.
  const flood = await Promise.all([2, 3, 4, 5].map((host) => from(`127.0.1.${host}`)));
  const other = await from('127.0.2.1');
  assert.deepEqual(await other.answer(), [200]);
  await Promise.race(flood.map(({ closed }) => closed));
  // The network with most has no place more.
  const further = await from('127.0.1.6');
  assert.deepEqual(await further.answer(), []);
  assert.deepEqual(await (await from('127.0.2.2')).answer(), [200]);
});

test('connections beyond the limit of an address are closed, those of a trusted proxy are not', async (t) => {
  const limits = { connectionsPerAddress: 1 };
  const { url } = await serveKit(t, [sampleRouter()], { limits });
  const first = await open(t, url);
  await assert.rejects(fetch(`${url}/open`));
  first.destroy();
  await until(
    () =>
      fetch(`${url}/open`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the closed connection is not counted',
  );
  const trustedProxies = parseCidrList('127.0.0.1/32');
  const proxied = await serveKit(t, [sampleRouter()], { limits, trustedProxies });
  await open(t, proxied.url);
  assert.equal((await fetch(`${proxied.url}/open`)).status, 200);
});

test('a connection whose answers are not read is closed, one that waits for its answer is not', async (t) => {
  const handler: Parameters<typeof serveKit>[1] = [
    async (ctx) => {
      if (ctx.path === '/slow') await new Promise((resolve) => setTimeout(resolve, 1_000));
      ctx.body = ctx.path === '/slow' ? 'slow' : Buffer.alloc(32 * 1_048_576);
    },
  ];
  const { url } = await serveKit(t, handler, { unreadAnswerTimeoutMs: 100 });
  const waiting = fetch(`${url}/slow`);
  const socket = await open(t, url);
  socket.pause();
  socket.write(GET_OPEN);
  assert.equal(await (await waiting).text(), 'slow');
  // Reading to the end would yield all of the answer if it had not been ended.
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  assert.ok(length < 32 * 1_048_576, `${length} bytes`);
});

test('a client that writes all of a body above the limit before it reads gets the 413', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const socket = await open(t, url);
  socket.pause();
  const bytes = 20 * 1_048_576;
  const head = ['POST /things HTTP/1.1', 'Host: x', `Authorization: ${asOwnerJson.authorization}`];
  head.push('Content-Type: application/json', `Content-Length: ${bytes}`, '', '');
  socket.write(head.join('\r\n'));
  const failure = await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
  assert.equal(failure ?? null, null);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.resume();
  await once(socket, 'end');
  assert.match(answer, /^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/);
});

test('answers while a server stops say that their connection closes', async (t) => {
  const { url, stop, release, entered } = await serveSlow(t);
  const inFlight = fetch(`${url}/slow`);
  await until(() => entered() === 1, 'the request has arrived');
  const stopping = stop();
  release();
  const { status, headers } = await inFlight;
  assert.deepEqual([status, headers.get('connection')], [200, 'close']);
  await stopping;
});

test('in the server of a host, requests beyond the limit of a connection are refused', () => {
  const traffic = createTraffic();
  const socket = new EventEmitter();
  const response = (httpVersionMajor: number) =>
    Object.assign(new EventEmitter(), { req: { socket, httpVersionMajor } }) as never;
  for (let count = 0; count < MAX_PIPELINED; count += 1) traffic.enter(response(1));
  assert.throws(() => traffic.enter(response(1)), { kind: 'unavailable' });
  // Streams of HTTP/2 share a connection.
  traffic.enter(response(2));
  socket.emit('close');
  traffic.enter(response(1));
});

test('connection limits are parsed, and others than known ones refused', () => {
  const limits = parseConnectionLimits('connections=5, address_requests=7');
  assert.deepEqual(limits, {
    connections: 5,
    connectionsPerAddress: 1_000,
    requests: 2_000,
    requestsPerAddress: 7,
  });
  for (const wrong of ['sockets=5', 'requests=0', 'requests']) {
    assert.throws(() => parseConnectionLimits(wrong), /is not of the form/);
  }
});

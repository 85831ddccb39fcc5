import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import { createTraffic } from '../../src/http/traffic.ts';
import { addressOf, serveKoa } from '../../src/testing/http.ts';
import { ANN, createNotes } from './world.ts';

test('stop waits for requests in progress and answers later ones with 503', async (t) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived: () => void = () => undefined;
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const probity = createNotes({
    authenticate: async () => {
      arrived();
      await held;
      return ANN;
    },
  });
  const handler = createServer((request, response) =>
    probity.node(request, response, () => response.end('host')),
  );
  const url = await addressOf(t, handler.listen(0, '127.0.0.1'));
  const running = fetch(`${url}/probity/caller`);
  await hasArrived;
  let hasStopped = false;
  const stopping = probity.stop().then(() => {
    hasStopped = true;
  });
  const late = await fetch(`${url}/probity/caller`);
  assert.equal(late.status, 503);
  assert.equal((await fetch(`${url}/of-the-host`)).status, 200);
  assert.equal(hasStopped, false);
  release();
  assert.equal((await running).status, 200);
  await stopping;
  for (const again of [probity.start, probity.ready, probity.migrate]) {
    await assert.rejects(again(), /Probity was stopped; create another one/);
  }
});

test('a request after stop opens nothing and is answered 503 by every handler', async (t) => {
  const probity = createNotes();
  await probity.stop();
  const url = await addressOf(t, createServer(probity.node).listen(0, '127.0.0.1'));
  const ofKoa = await serveKoa(t, probity.koa());
  for (const each of [url, ofKoa]) {
    assert.equal((await fetch(`${each}/probity/caller`)).status, 503);
  }
  assert.equal((await probity.fetch(new Request('http://host/probity/caller'))).status, 503);
  assert.throws(() => probity.database, /not open/);
});

test('a client that has gone before its request is handled is not waited for', async (t) => {
  const probity = createNotes();
  await probity.ready();
  let handled: () => void = () => undefined;
  const isHandled = new Promise<void>((resolve) => {
    handled = resolve;
  });
  const server = createServer((request, response) => {
    response.once('close', () => {
      probity.node(request, response);
      handled();
    });
  });
  const url = await addressOf(t, server.listen(0, '127.0.0.1'));
  const outgoing = httpRequest(`${url}/probity/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': '20' },
  });
  outgoing.on('error', () => undefined);
  outgoing.write('{');
  server.once('request', () => outgoing.destroy());
  await isHandled;
  let hasStopped = false;
  void probity.stop().then(() => {
    hasStopped = true;
  });
  // The drain would wait for 30 seconds.
  await until(() => hasStopped, 'Probity has stopped', 5_000);
});

test('stop of an idle Probity ends at once, and twice does no harm', async () => {
  const probity = createNotes();
  await probity.start();
  await probity.stop();
  await probity.stop();
  assert.equal((await probity.fetch(new Request('http://host/probity/caller'))).status, 503);
});

test('a drain ends after its timeout when a client never reads its response', async () => {
  const traffic = createTraffic();
  const req = { socket: new EventEmitter(), httpVersionMajor: 1 };
  traffic.enter(Object.assign(new EventEmitter(), { req }) as never);
  await traffic.drain(20);
  assert.throws(() => traffic.enter(new EventEmitter() as never), { kind: 'unavailable' });
});

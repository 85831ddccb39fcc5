import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createTraffic } from '../../src/http/traffic.ts';
import { addressOf } from '../../src/testing/http.ts';
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
  const running = fetch(`${url}/caller`);
  await hasArrived;
  let hasStopped = false;
  const stopping = probity.stop().then(() => {
    hasStopped = true;
  });
  const late = await fetch(`${url}/caller`);
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

test('stop of an idle Probity ends at once, and twice does no harm', async () => {
  const probity = createNotes();
  await probity.start();
  await probity.stop();
  await probity.stop();
  assert.equal((await probity.fetch(new Request('http://host/probity/caller'))).status, 503);
});

test('a drain ends after its timeout when a client never reads its response', async () => {
  const traffic = createTraffic();
  traffic.enter(new EventEmitter() as never);
  await traffic.drain(20);
  assert.throws(() => traffic.enter(new EventEmitter() as never), { kind: 'unavailable' });
});

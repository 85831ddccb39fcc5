import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { silentLogger, systemClock } from '@probity/core';
import {
  acquireRedis,
  createTestClock,
  findRedis,
  freePort,
  redisMissing,
  spawnProgram,
  startHttpsReceiver,
  temporaryFolder,
  until,
} from '@probity/test-support';
import { Redis } from 'ioredis';
import { createMemoryCache } from '../../src/cache/memory.ts';
import { openRedisCache } from '../../src/cache/redis.ts';
import type { CacheSettings, CacheStore } from '../../src/cache/store.ts';
import { PII_TEXTS } from '../texts.ts';
import { at, startGateway } from '../world.ts';

const skip = redisMissing();

const HIT = /^gateway_cache_hits_total\{type="scan"\} 1$/m;

function settings(some: Partial<CacheSettings> = {}): CacheSettings {
  const own = { enabled: true, port: 6_379, ttl_seconds: 3_600, key_prefix: '', max_items: 100 };
  return { ...own, ssl: false, ...some };
}

const options = { clock: systemClock, logger: silentLogger, signingKey: Buffer.alloc(32, 1) };

async function connectRedis(
  t: TestContext,
): Promise<{ client: Redis; host: string; port: number }> {
  const { hostname: host, port } = new URL((await acquireRedis()).url);
  const client = new Redis({ host, port: Number(port) });
  t.after(() => client.disconnect());
  return { client, host, port: Number(port) };
}

test('caching.enabled finds the second scan of equal texts, with the same answer', async (t) => {
  const gateway = await startGateway(t, 'caching: {enabled: true}\naudit: {sample_rate: 1}');
  const first = await gateway.scan({ response: PII_TEXTS.ssn });
  const second = await gateway.scan({ response: PII_TEXTS.ssn });
  assert.deepEqual(at(second.body, 'governance.findings'), at(first.body, 'governance.findings'));
  assert.equal(second.status, 403);
  const metrics = await gateway.metrics();
  assert.match(metrics, HIT);
  assert.match(metrics, /^gateway_cache_misses_total\{type="scan"\} 1$/m);
  assert.match(metrics, /^gateway_cache_hit_ratio 0\.5$/m);
  // What is found in the cache is counted and recorded like any other scan.
  assert.match(metrics, /^gateway_pii_detections_total\{type="ssn"\} 2$/m);
  assert.equal(at((await gateway.call('/health')).body, 'checks.cache-store'), 'ok');
  assert.equal((await gateway.stored()).length, 2);
});

test('caching.enabled false finds nothing', async (t) => {
  const gateway = await startGateway(t);
  await gateway.scan({ response: 'Hello.' });
  await gateway.scan({ response: 'Hello.' });
  assert.match(await gateway.metrics(), /^gateway_cache_hits_total\{type="scan"\} 0$/m);
  assert.equal(at((await gateway.call('/health')).body, 'checks.cache-store'), 'disabled');
});

test('texts that differ, or stand in another place, are not equal', async (t) => {
  const gateway = await startGateway(t, 'caching: {enabled: true}');
  for (const body of [
    { response: 'b' },
    { prompt: '', response: 'b' },
    { prompt: 'b', response: 'b' },
    { response: 'b', context: ['b'] },
    { response: 'b', context: [] },
  ]) {
    await gateway.scan(body);
  }
  assert.match(await gateway.metrics(), /^gateway_cache_hits_total\{type="scan"\} 0$/m);
});

test('a reload never serves a verdict of before, though the cache stays', async (t) => {
  const caching = 'caching: {enabled: true}\n';
  const gateway = await startGateway(t, caching);
  assert.equal((await gateway.scan({ response: PII_TEXTS.email })).status, 200);
  gateway.write(`${caching}scanning: {thresholds: {pii_risk: 0.1}}`);
  await gateway.gateway.reloader.reload();
  assert.equal((await gateway.scan({ response: PII_TEXTS.email })).status, 403);
  gateway.write(caching);
  await gateway.gateway.reloader.reload();
  await gateway.scan({ response: PII_TEXTS.email });
  assert.match(await gateway.metrics(), HIT);
});

test('a knowledge base that changes ends what was kept', async (t) => {
  const file = join(temporaryFolder(t).path, 'knowledge.json');
  const claim = 'The tower was built in 1889.';
  writeFileSync(file, JSON.stringify([claim]));
  const env = { PROBITY_GATEWAY_KNOWLEDGE_FILE: file };
  const gateway = await startGateway(t, 'caching: {enabled: true}', { env });
  const scan = async () => at((await gateway.scan({ response: claim })).body, 'data.findings');
  assert.equal(((await scan()) as unknown[]).length, 1);
  writeFileSync(file, JSON.stringify(['Water boils at 100 degrees.']));
  await gateway.gateway.reloader.reload();
  assert.deepEqual(await scan(), []);
});

test('caching.ttl_seconds ends an entry, in the process', async () => {
  const clock = createTestClock();
  const cache = createMemoryCache(settings({ ttl_seconds: 1 }), clock);
  await cache.set('a', 'text');
  await clock.advance(999);
  assert.equal(await cache.get('a'), 'text');
  await clock.advance(1);
  assert.equal(await cache.get('a'), undefined);
});

async function fill(cache: CacheStore): Promise<void> {
  for (let at = 0; at < 4; at++) await cache.set(`scan:${at}`, String(at));
  await cache.get('scan:0');
  await cache.set('scan:4', '4');
}

test('caching.max_items is the most that is kept in the process; the least recently used goes', async () => {
  const cache = createMemoryCache(settings({ max_items: 3 }), createTestClock());
  await fill(cache);
  const found = await Promise.all([0, 1, 2, 3, 4].map((at) => cache.get(`scan:${at}`)));
  assert.deepEqual(found, [undefined, undefined, '2', '3', '4']);
});

test('caching.max_items and caching.ttl_seconds hold for the entries of a prefix on a server', {
  skip,
}, async (t) => {
  const { client, host, port } = await connectRedis(t);
  const key_prefix = `${randomUUID()}:`;
  const cache = await openRedisCache(settings({ host, port, key_prefix, max_items: 3 }), options);
  t.after(() => cache.close());
  await fill(cache);
  const found = await Promise.all([0, 1, 2, 3, 4].map((at) => cache.get(`scan:${at}`)));
  assert.deepEqual(found, [undefined, undefined, '2', '3', '4']);
  const left = await client.pttl(`${key_prefix}gateway:scan:4`);
  assert.ok(left > 0 && left <= 3_600_000, String(left));
});

test('caching.host and caching.key_prefix: gateways share a server, and no text is there', {
  skip,
}, async (t) => {
  const { client, host, port } = await connectRedis(t);
  const key_prefix = `${randomUUID()}:`;
  const text = `caching: {enabled: true, host: ${host}, port: ${port}, key_prefix: "${key_prefix}"}`;
  const env = { PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('base64') };
  const first = await startGateway(t, text, { env });
  await first.scan({ response: PII_TEXTS.ssn });
  await until(
    async () => (await client.keys(`${key_prefix}gateway:scan:*`)).length === 1,
    'it is kept',
  );
  const second = await startGateway(t, text, { env });
  assert.equal((await second.scan({ response: PII_TEXTS.ssn })).status, 403);
  assert.match(await second.metrics(), HIT);
  const [name = ''] = await client.keys(`${key_prefix}gateway:scan:*`);
  assert.doesNotMatch(`${name} ${await client.get(name)}`, /SSN is|536-22/);
});

test('what another program has written to the server decides on nothing', { skip }, async (t) => {
  const { client, host, port } = await connectRedis(t);
  const key_prefix = `${randomUUID()}:`;
  const cache = await openRedisCache(settings({ host, port, key_prefix }), options);
  t.after(() => cache.close());
  await cache.set('scan:a', 'true');
  const name = `${key_prefix}gateway:scan:a`;
  const kept = String(await client.get(name));
  await client.set(name, kept.replace('true', 'false'));
  assert.equal(await cache.get('scan:a'), undefined);
  await client.set(`${key_prefix}gateway:scan:b`, kept);
  assert.equal(await cache.get('scan:b'), undefined);
  await client.set(name, kept);
  assert.equal(await cache.get('scan:a'), 'true');
});

test('scans go on while the cache is down, and the probes show it', async (t) => {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const gateway = await startGateway(t, `caching: {enabled: true, host: 127.0.0.1, port: ${port}}`);
  assert.equal((await gateway.scan({ response: PII_TEXTS.ssn })).status, 403);
  const { status, body } = await gateway.call('/health');
  assert.equal(status, 200);
  assert.match(String(at(body, 'checks.cache-store')), /^error: /);
  const ready = await gateway.call('/ready');
  assert.equal(ready.status, 200);
  assert.match(String(at(ready.body, 'checks.cache')), /^error: /);
});

test('caching.password is sent, and a wrong one is an error of the cache alone', {
  skip,
}, async (t) => {
  const port = await freePort();
  const command = findRedis(process.env.PATH ?? '');
  assert.ok(command, 'a Redis server on PATH');
  const own = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--requirepass',
    'right-one',
  ];
  await spawnProgram(command, own, { test: t });
  const open = async (password: string) => {
    const cache = await openRedisCache(settings({ host: '127.0.0.1', port, password }), options);
    t.after(() => cache.close());
    return cache;
  };
  const right = await open('right-one');
  await until(async () => {
    await right.probe();
    return right.check() === 'ok';
  }, 'the server has started');
  const wrong = await open('wrong-one');
  assert.match(wrong.check(), /^error: (?:WRONGPASS|NOAUTH)/);
  assert.doesNotMatch(wrong.check(), /wrong-one/);
});

test('caching.ssl speaks TLS: a server without it is an error of the cache alone', {
  skip,
}, async (t) => {
  const { host, port } = await connectRedis(t);
  const plain = await openRedisCache(settings({ host, port, ssl: true }), options);
  t.after(() => plain.close());
  assert.match(plain.check(), /^error: /);
  // A server with TLS whose certificate nobody vouches for.
  const receiver = await startHttpsReceiver({ test: t });
  const refused = await openRedisCache(
    settings({ host: '127.0.0.1', port: receiver.port, ssl: true }),
    options,
  );
  t.after(() => refused.close());
  assert.match(refused.check(), /certificate|self-signed/);
});

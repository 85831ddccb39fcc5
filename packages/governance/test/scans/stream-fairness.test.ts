import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { Principal } from '@probity/core';
import { createTestTenant } from '@probity/core/testing';
import { until } from '@probity/test-support';
import { createApi } from '../api.ts';
import { BENIGN } from '../world.ts';

const STREAMS = 20;
const SCANS = 10;
/** Bytes that a stream is ahead of its answer: sockets would take some MiB. */
const AHEAD = 32_768;
const LINE = new TextEncoder().encode(`${JSON.stringify({ text: `${BENIGN} `.repeat(4) })}\n`);

test("open streams of one organization, which always have more to scan, let another's scans end", async (t) => {
  const principals = new Map<string, Principal>();
  const authenticate = async ({ token }: { readonly token: string | null }) =>
    principals.get(token ?? '') ?? null;
  const api = await createApi(t, {}, { authenticate });
  const { principal } = api.context;
  const { organizationId } = await createTestTenant(api.opened);
  principals.set('greedy', principal).set('other', { ...principal, organizationId });

  let isEnding = false;
  const received = new Array<number>(STREAMS).fill(0);
  const progress = new EventEmitter().setMaxListeners(STREAMS);
  async function* endless(at: number) {
    yield new TextEncoder().encode('{}\n');
    for (let sent = 0; !isEnding; sent += LINE.length) {
      while (!isEnding && sent - (received[at] as number) > AHEAD) await once(progress, 'chunk');
      yield LINE;
    }
  }
  const streams = received.map(async (_, at) => {
    const response = await fetch(`${api.url}/governance/scan/stream`, {
      method: 'POST',
      headers: { Authorization: 'Bearer greedy', 'Content-Type': 'application/x-ndjson' },
      body: ReadableStream.from(endless(at)),
      duplex: 'half',
    } as RequestInit);
    let last = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      received[at] = (received[at] as number) + chunk.length;
      progress.emit('chunk');
      last = (last + new TextDecoder().decode(chunk)).slice(-10_000);
    }
    return last.includes('event: final');
  });
  await until(() => received.every((bytes) => bytes > 0), 'every stream releases text');

  const before = [...received];
  for (let at = 0; at < SCANS; at += 1) {
    const { status, body } = await api.postScan({ response: BENIGN }, 'other');
    assert.deepEqual([status, body.data.verdict], [200, 'allowed']);
  }
  // They were scanned meanwhile, and none has ended.
  const going = received.filter((bytes, at) => bytes > (before[at] as number));
  assert.ok(going.length > 0, `${going.length} streams went on`);
  assert.equal((await api.request('GET', '/governance/scans', undefined, 'greedy')).body.total, 0);
  isEnding = true;
  progress.emit('chunk');
  const ends = await Promise.all(streams);
  assert.ok(ends.every(Boolean), 'each stream has its final event');
  assert.equal(
    (await api.request('GET', '/governance/scans', undefined, 'greedy')).body.total,
    STREAMS,
  );
  const mean = received.reduce((sum, bytes) => sum + bytes, 0) / STREAMS;
  t.diagnostic(`${SCANS} scans beside ${STREAMS} streams of ${Math.round(mean / 1_024)} KiB each`);
});

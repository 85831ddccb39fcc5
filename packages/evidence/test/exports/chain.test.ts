import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createRetention } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { countTurns } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { hashContent, hashLinks, hashNode } from '../../src/chain/form.ts';
import type { World } from '../world.ts';
import { createWorld, serveText, sqlTargets, targets } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines are read as a program without our types reads them
type Line = any;

async function linesOf(response: Response): Promise<Line[]> {
  assert.equal(response.headers.get('content-type'), 'application/jsonl');
  const text = await response.text();
  assert.ok(text === '' || text.endsWith('\n'));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function removeOld({ capability, clock }: World): Promise<unknown> {
  const rules = capability.retention ?? [];
  return createRetention({ rules, clock, pause: async () => undefined }).run();
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: the lines have everything that the hashes of the chain cover`, async (t) => {
    const world = await createWorld(t, { target, retentionDays: 184 });
    const get = await serveText(t, world);
    const { services, context, clock } = world;
    assert.deepEqual(await linesOf(await get('/compliance/export?format=jsonl')), []);
    await world.append({}, {});
    await clock.advance(184 * DAY_MS + 1);
    const [record] = await world.append({ labels: { b: 'ü', a: '' } }, { occurredAt: null });
    await services.records.update(context, record?.id ?? '', { labels: { c: '1' } });
    await removeOld(world);
    const lines = await linesOf(await get('/compliance/export?format=jsonl'));
    assert.deepEqual(
      lines.map((line) => [line.sequence, line.record !== null, line.amends]),
      [
        ...[1, 2].map((sequence) => [sequence, false, null]),
        ...[3, 4].map((sequence) => [sequence, true, null]),
        [5, false, record?.id],
      ],
    );
    for (const [index, line] of lines.entries()) {
      const createdAt = new Date(line.createdAt);
      assert.equal(line.hash, hashNode({ ...line, createdAt }, line));
      assert.equal(line.previousHash, lines[index - 1]?.hash ?? '');
      if (!line.record) continue;
      const { occurredAt } = line.record;
      const content = { ...line.record, occurredAt: occurredAt && new Date(occurredAt) };
      assert.equal(line.contentHash, hashContent(content));
    }
    assert.equal(lines[4].linksHash, hashLinks(lines[2].record));
    assert.equal(lines[3].linksHash, hashLinks(lines[3].record));
    const { end } = await services.verify(context);
    assert.deepEqual({ sequence: lines[4].sequence, hash: lines[4].hash }, end);
  });

  test(`${target.name}: records that are amended during the export are proven by its lines`, async (t) => {
    const world = await createWorld(t, { target });
    const { services, context } = world;
    const records = await world.append(...Array.from({ length: 450 }, () => ({})));
    const amend = (index: number, run: string) =>
      services.records.update(context, records[index]?.id ?? '', { labels: { run } });
    await amend(7, 'before');
    const found: Array<{ sequence: number; links: string | null }> = [];
    let slices = 0;
    for await (const slice of await services.exports.chain(context)) {
      slices += 1;
      for (const { node, record } of slice) {
        found.push({ sequence: node.sequence, links: record && hashLinks(record) });
      }
      if (slices > 1) continue;
      // The first was read before, the last is read after; the first is amended again at the end.
      for (const index of [3, 449, 3]) await amend(index, `during ${index}`);
      await amend(3, 'again');
      await world.append({});
    }
    assert.deepEqual(
      found.map(({ sequence }) => sequence),
      Array.from({ length: found.length }, (_, index) => index + 1),
    );
    const nodes = await world.storage.readEvidenceChain(world.organizationId, 0, 1_000);
    for (const [index, { node, last }] of nodes.slice(0, 450).map(
      (node, index) =>
        [
          index,
          {
            node,
            last: nodes.slice(0, found.length).findLast(({ amends }) => amends === node.id),
          },
        ] as const,
    )) {
      const place = last && last.sequence > 451 ? last.sequence : node.sequence;
      const links = found[place - 1]?.links;
      assert.equal(links, (last ?? node).linksHash, `record ${index}`);
    }
  });

  test(`${target.name}: an export that retention overtakes fails`, async (t) => {
    const world = await createWorld(t, { target, retentionDays: 184 });
    const { services, context, clock } = world;
    await world.append(...Array.from({ length: 450 }, () => ({})));
    await clock.advance(184 * DAY_MS + 1);
    await world.append({});
    const slices = (await services.exports.chain(context))[Symbol.asyncIterator]();
    assert.equal((await slices.next()).value?.length, 100);
    await removeOld(world);
    await assert.rejects(slices.next(), { kind: 'unavailable', message: /Retention removed/ });
  });
}

for (const target of sqlTargets) {
  test(`${target.name}: 20,000 records are exported without holding others up`, async (t) => {
    const world = await createWorld(t, { target });
    for (let batch = 0; batch < 20; batch += 1) {
      await world.append(...Array.from({ length: 1_000 }, () => ({ labels: { team: 'a' } })));
    }
    const get = await serveText(t, world);
    for (const query of ['format=jsonl', 'format=csv', 'label=team:a']) {
      let length = 0;
      const turns = await countTurns(async () => {
        const response = await get(`/compliance/export?${query}`);
        for await (const chunk of response.body ?? []) length += chunk.length;
      });
      assert.ok(length > 5_000_000, `${length} bytes`);
      assert.ok(turns >= 40, `${turns} turns`);
    }
  });

  test(`${target.name}: a client that reads slowly over HTTP has the export read as slowly`, async (t) => {
    const world = await createWorld(t, { target });
    const [count, length] = [3_000, 10_000];
    for (let from = 0; from < count; from += 500) {
      const content = 'x'.repeat(length);
      await world.append(...Array.from({ length: 500 }, () => ({ content })));
    }
    let read = 0;
    const { readEvidence, readEvidenceChain } = world.storage;
    const counted =
      <Given extends unknown[], Row>(operation: (...given: Given) => Promise<readonly Row[]>) =>
      async (...given: Given) => {
        const rows = await operation(...given);
        read += rows.length;
        return rows;
      };
    Object.assign(world.storage, {
      readEvidence: counted(readEvidence),
      readEvidenceChain: counted(readEvidenceChain),
    });
    const get = await serveText(t, world);
    let sent = () => 0;
    const watch = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      const before = socket.bytesWritten;
      // What the system has taken: how much its buffers hold is not up to the server.
      sent = () => socket.bytesWritten - socket.writableLength - before;
    };
    subscribe('http.server.request.start', watch);
    t.after(() => unsubscribe('http.server.request.start', watch));
    for (const format of ['csv', 'jsonl', 'oscal']) {
      read = 0;
      const response = await get(`/compliance/export?format=${format}`);
      let received = 0;
      let ahead = 0;
      for await (const chunk of response.body ?? []) {
        received += chunk.length;
        // The server has turns to read on, and must not take them.
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
        ahead = Math.max(ahead, Math.min(read, count) * length - sent());
      }
      assert.ok(read >= count && received > count * length, `${received} bytes of ${format}`);
      assert.ok(ahead < 3_000_000, `${ahead} bytes ahead in ${format}`);
    }
  });
}

test('no more is read than the client takes', async (t) => {
  const world = await createWorld(t);
  await world.append(...Array.from({ length: 1_000 }, () => ({})));
  let reads = 0;
  const { storage, services, context } = world;
  const { readEvidence } = storage;
  storage.readEvidence = (...given) => {
    reads += 1;
    return readEvidence(...given);
  };
  const slices = (await services.exports.records(context, {}))[Symbol.asyncIterator]();
  await slices.next();
  await slices.next();
  assert.equal(reads, 2);
  await slices.return?.();
  assert.equal(reads, 2);
});

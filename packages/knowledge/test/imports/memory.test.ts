import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWorld, serveImport } from '../world.ts';

const ROWS = 30_000;
const PART = 100;

test('rows are stored while the file is read: few are on their way at any time', async (t) => {
  const world = await createWorld(t);
  const send = await serveImport(t, world);
  const { storage, organizationId } = world;
  const encoder = new TextEncoder();
  let onTheirWay = 0;
  async function* file() {
    yield encoder.encode('claim,source_url,category,confidence\n');
    for (let at = 0; at < ROWS; at += PART) {
      const rows = Array.from({ length: PART }, (_, of) => {
        return `Statement ${at + of} says ${'so '.repeat(300)},https://facts.example/${at},c,high\n`;
      });
      yield encoder.encode(rows.join(''));
      const { nuggets } = await storage.findKnowledgeExtent(organizationId);
      onTheirWay = Math.max(onTheirWay, at + PART - nuggets);
      await nextTurn();
    }
  }
  const { status, body } = await send(ReadableStream.from(file()));
  assert.deepEqual([status, body.data.created, body.data.failed], [201, ROWS, 0]);
  // Sockets and streams hold some MiB of the 28 of the file.
  assert.ok(onTheirWay < ROWS / 3, `${onTheirWay} rows`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../src/imports/csv.ts';

const SOURCE = 'https://example.org/';

async function* inChunks(...chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield chunk;
}

test('a character that takes two units is read whole wherever a CSV file is cut', async () => {
  const claims = Array.from({ length: 40 }, (_, at) => `${'x'.repeat(at)}${'😀'.repeat(60)}`);
  const text = ['claim,source_url', ...claims.map((claim) => `${claim},${SOURCE}`)].join('\n');
  const read: unknown[] = [];
  for await (const row of readCsv(inChunks(text))) read.push(row);
  assert.deepEqual(
    read.map((row) => (row as { nugget?: { claim: string } }).nugget?.claim),
    claims,
  );
});

test('the event loop turns while a CSV file of very short rows is read, however large its chunks are', async () => {
  let turns = 0;
  let rows = 0;
  const count = () => {
    turns += 1;
    if (rows < 20_000) setImmediate(count);
  };
  setImmediate(count);
  for await (const _ of readCsv(inChunks('claim,source_url\n', 'a\n'.repeat(20_000)))) rows += 1;
  assert.equal(rows, 20_000);
  assert.ok(turns >= 30, `${turns} turns of the event loop`);
});

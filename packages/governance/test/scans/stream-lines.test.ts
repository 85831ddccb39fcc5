import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, textsOf, withFirst } from '../../src/scans/stream/lines.ts';

async function* chunksOf(...chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function textsIn(...chunks: readonly string[]): Promise<string[]> {
  const lines = await withFirst(linesOf(chunksOf(...chunks)));
  assert.ok(lines);
  const texts: string[] = [];
  for await (const text of textsOf(lines.others, 2)) texts.push(text);
  return texts;
}

const letter = (text: string) => `${JSON.stringify({ text })}\n`;

test('lines that come together are one text, however many they are', async () => {
  const many = letter('a').repeat(10_000);
  assert.deepEqual(await textsIn(`{}\n${letter('x')}`, many, '\n'.repeat(65_536), letter('b')), [
    'x',
    'a'.repeat(10_000),
    '',
    'b',
  ]);
});

test('a line and a surrogate pair may be cut between chunks, and blank lines may stand between the halves', async () => {
  const high = '{"text":"\\ud83d"}\n';
  const texts = await textsIn('{}', '\n{"te', 'xt":"1"}\n', high, '\n\n', '{"text":"\\ude00"}');
  assert.equal(texts.join(''), '1\u{1f600}');
});

test('what came before a wrong line is given before the error', async () => {
  const given: string[] = [];
  const lines = linesOf(chunksOf(`${letter('a')}${letter('b')}{"text":1}\n${letter('c')}`));
  await assert.rejects(async () => {
    for await (const text of textsOf(lines, 1)) given.push(text);
  }, /text: must be a string \(line 3\)/);
  assert.deepEqual(given, ['ab']);
});

test('the event loop has a turn between chunks that are there already', async () => {
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  await textsIn('{}\n', ...Array<string>(50).fill(letter('a')));
  isReading = false;
  assert.ok(turns >= 50, `${turns} turns`);
});

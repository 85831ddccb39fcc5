import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setRuns, textRunsOf } from '../../src/mcp/text-runs.ts';

const part = (text: string) => ({ type: 'text', text });

test('texts are set in their places, and everything else stays', () => {
  const value = {
    content: [part('a'), { type: 'image', data: 'AAAA' }, part('b')],
    messages: [
      { role: 'user', content: part('c') },
      { role: 'user', content: 'd' },
    ],
  };
  const runs = textRunsOf(value);
  assert.deepEqual(
    runs.map(({ texts }) => texts.map(({ text }) => text)),
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  );
  setRuns(value, runs, [
    ['a', 'B'],
    ['C', 'D'],
  ]);
  assert.deepEqual(value, {
    content: [part('a'), { type: 'image', data: 'AAAA' }, part('B')],
    messages: [
      { role: 'user', content: part('C') },
      { role: 'user', content: 'D' },
    ],
  });
});

test('where a name on the way is another one, nothing is set, and no prototype is reached', () => {
  const runs = textRunsOf({ content: [part('a'), part('b')] });
  const renamed = { '[EMAIL_1]': [part('a'), part('b')] };
  setRuns(renamed, runs, [['x', 'y']]);
  assert.deepEqual(renamed, { '[EMAIL_1]': [part('a'), part('b')] });
  const value = JSON.parse('{"__proto__": {"content": [{"text": "a"}, {"text": "b"}]}}') as object;
  setRuns(value, textRunsOf(value), [['x', 'y']]);
  assert.equal(JSON.stringify(value), '{"__proto__":{"content":[{"text":"x"},{"text":"y"}]}}');
  assert.equal(({} as { content?: unknown }).content, undefined);
});

test('a result with many texts has each of them set', () => {
  const value = { content: Array.from({ length: 20_000 }, (_, at) => part(`mail ${at}`)) };
  const runs = textRunsOf(value);
  setRuns(value, runs, [value.content.map((_, at) => `[EMAIL_${at}]`)]);
  assert.equal(value.content.at(-1)?.text, '[EMAIL_19999]');
  assert.ok(value.content.every(({ text }) => text.startsWith('[EMAIL_')));
});

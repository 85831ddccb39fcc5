import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitByProvider, toImportFile } from '../src/index.ts';
import { failing, flat, keysOf, read, readBody, recordsOf, result } from './fixtures.ts';

const ID = 'file://provider.py';
const labelled = (label: string | undefined) => ({ provider: { id: ID, label } });

test('one provider id under two labels makes two summaries', async () => {
  const evaluation = await read(
    flat([
      result(labelled('model-a')),
      failing('contains', labelled('model-b')),
      failing('contains', labelled('model-b')),
    ]),
  );
  const { evaluation: sent } = await readBody(toImportFile(evaluation));
  for (const each of [evaluation, sent]) {
    const { summaries, failures } = recordsOf(each);
    assert.deepEqual(
      summaries.map(({ title, metadata }) => [title, metadata.providers, metadata.passRate]),
      [
        ['Evaluation of file://provider.py [model-a]', [ID], 1],
        ['Evaluation of file://provider.py [model-b]', [ID], 0],
      ],
    );
    assert.deepEqual(
      failures.map(({ title, metadata }) => [title, metadata.provider, metadata.providerLabel]),
      Array(2).fill(['Test failure of file://provider.py [model-b] (contains)', ID, 'model-b']),
    );
  }
});

test('results with and without a label, and with labels that are not names, stay apart', async () => {
  const labels = [undefined, '', ID, 'one', 'two', 'a {{ template }}', 'x'.repeat(121)];
  const evaluation = await read(flat(labels.map((label) => result(labelled(label)))));
  const shown = recordsOf(evaluation).summaries.map(({ metadata }) => [
    metadata.providerLabels[0]?.replace(/^label-[0-9a-f]{16}$/, 'hash') ?? null,
    metadata.stats.successes,
  ]);
  assert.deepEqual(
    shown.sort(),
    [
      [null, 3],
      ...[
        ['hash', 1],
        ['hash', 1],
        ['one', 1],
        ['two', 1],
      ],
    ].sort(),
  );
});

test('splitting by provider keeps the keys of each label', async () => {
  const results = ['a', 'b'].flatMap((label) =>
    Array.from({ length: 3 }, () => failing('contains', labelled(label))),
  );
  const evaluation = await read(flat(results));
  const parts = splitByProvider(evaluation, 3);
  assert.equal(parts.length, 2);
  const keys = parts.flatMap((part) => {
    const { summaries, failures } = recordsOf(part);
    return [...summaries, ...failures].map(({ idempotencyKey }) => idempotencyKey);
  });
  assert.equal(new Set(keys).size, 8);
  assert.deepEqual(keys.sort(), await keysOf(flat(results)));
});

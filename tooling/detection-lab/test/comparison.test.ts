import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ComparedDetector } from '../src/evaluation/comparison.ts';
import { compareTask, toTable } from '../src/evaluation/comparison.ts';

const finding = (name: string, pattern: RegExp): ComparedDetector => ({
  name,
  async find(text) {
    const spans = [...text.matchAll(pattern)].map(({ index, 0: value }) => ({
      start: index,
      end: index + value.length,
    }));
    return { isFound: spans.length > 0, spans };
  },
});

it('a comparison counts values of harmful texts and texts with a false alarm', async () => {
  const groups = [
    {
      name: 'reports',
      rows: [
        { text: 'a@b.example, 555-2671', isHarmful: true, values: ['a@b.example', '555-2671'] },
      ],
    },
    {
      name: 'questions',
      rows: [
        { text: 'Room 12 or 13?', isHarmful: false, values: [] },
        { text: 'Where is it?', isHarmful: false, values: [] },
      ],
    },
  ];
  const detectors = [finding('numbers', /\d+/g), finding('addresses', /\S+@\S+/g)];
  const table = await compareTask('pii', groups, detectors);
  assert.deepEqual(table.lines, [
    { name: 'numbers', shares: [0.5, 0.5] },
    { name: 'addresses', shares: [0.5, 0] },
  ]);
  assert.equal(
    toTable(table),
    [
      '## pii',
      '',
      '|  | recall: reports (2) | false alarms: questions (2) |',
      '| --- | --- | --- |',
      '| numbers | **0.500** | 0.500 |',
      '| addresses | **0.500** | **0.000** |',
      '',
    ].join('\n'),
  );
});

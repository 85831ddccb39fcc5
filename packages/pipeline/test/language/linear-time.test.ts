import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import type { PipelineConfig, ScanInput } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';

const UNIT = 32 * 1024;
const SECRET =
  'The harbour master keeps the key of the old lighthouse under the third flower pot from the left, and nobody but the baker knows of it.';
const options = { knowledge: [SECRET, 'The night boat is late.', 'a a a a a a'] };
const STAGES: readonly (readonly [string, PipelineConfig])[] = [
  [
    'contamination_check',
    {
      stages: [
        { name: 'contamination_check', options: { protected: [SECRET, 'a a a a a a a a a a'] } },
      ],
    },
  ],
  ['hallucination_detector', { stages: [{ name: 'hallucination_detector' }] }],
  ['output_truth_scanner', { stages: [{ name: 'output_truth_scanner', options }] }],
];
const HOSTILE: readonly (readonly [string, (length: number) => string])[] = [
  ['one letter', (n) => 'a'.repeat(n)],
  ['one word', (n) => 'a '.repeat(n / 2)],
  ['one number', (n) => '1 '.repeat(n / 2)],
  ['number words', (n) => 'two hundred and '.repeat(n / 16)],
  ['full stops', (n) => 'A. '.repeat(n / 3)],
  ['questions', (n) => 'Is it? No. '.repeat(n / 11)],
  ['apostrophes', (n) => "a'".repeat(n / 2)],
  ['separators in a number', (n) => '1,'.repeat(n / 2)],
  ['signs without words', (n) => '... '.repeat(n / 4)],
  ['a script without blanks', (n) => '漢字'.repeat(n / 2)],
  ['pieces of the protected text', (n) => `${SECRET.slice(0, 45)} x `.repeat(n / 48)],
  ['the protected text', (n) => `${SECRET} `.repeat(n / (SECRET.length + 1))],
  ['zero-width signs', (n) => '\u200b'.repeat(n)],
];

describe('time of the stages that compare texts', () => {
  for (const [stage, config] of STAGES) {
    for (const [name, make] of HOSTILE) {
      it(`time of the comparing stages grows linearly with the length: ${stage}, ${name}`, async () => {
        const pipeline = createPipeline(config);
        const run = (length: number) => {
          const text = make(length);
          const input: ScanInput = { response: text, context: [text] };
          return () => pipeline.scan(input);
        };
        await assertLinearTime(run(UNIT), run(UNIT * 8));
      });
    }
  }
});

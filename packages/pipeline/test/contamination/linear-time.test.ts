import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import { createRandom } from '@probity/test-support/random';
import { createPipeline } from '../../src/index.ts';
import { OBFUSCATIONS } from './corpus/obfuscations.ts';
import { LONG_TEXTS } from './corpus/protected-texts.ts';

const UNIT = 64 * 1024;
const VERSIONS = 50;
const [TEXT = ''] = LONG_TEXTS;

describe('time on a text that is full of protected ones', () => {
  const versions = Array.from({ length: VERSIONS }, (_, at) => `${TEXT} Version ${at}.`);
  const pipeline = createPipeline({
    stages: [{ name: 'contamination_check', options: { protected: versions } }],
  });
  for (const name of [
    'verbatim',
    'rot13',
    'reversed',
    'wordsReversed',
    'spaced',
    'leet',
    'base64Lines',
  ]) {
    it(`scan time of a text full of protected texts grows linearly with its length: ${name}`, async () => {
      const leak = `${OBFUSCATIONS[name]?.(TEXT, createRandom(1)) ?? assert.fail()}\n`;
      const make = (length: number) => leak.repeat(Math.ceil(length / leak.length));
      const scan = (response: string) => () => pipeline.scan({ response });
      await assertLinearTime(scan(make(UNIT)), scan(make(UNIT * 8)));
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline, PipelineConfigError } from '../../src/index.ts';

function scanWith(exceptions: readonly string[], response: string) {
  return createPipeline({
    stages: [{ name: 'pii_scanner', options: { exceptions } }],
  }).scan({ response });
}

describe('exceptions', () => {
  const cases: [string, string, number][] = [
    ['a literal value is ignored', 'help@example.com', 0],
    ['case does not matter', 'HELP@Example.com', 0],
    ['a part of a value is not enough', 'example.com', 1],
    ['an expression is matched against the whole value', '.*@example\\.com', 0],
    ['an expression that fits a part only does not count', 'help@[a-z]{3}', 1],
  ];
  for (const [name, exception, left] of cases) {
    it(name, async () => {
      const { findings } = await scanWith([exception], 'write to help@example.com');
      assert.equal(findings.length, left);
    });
  }

  const dangerous = [
    '(a+)+$',
    '(a|a)*b',
    '.*.*.*x$',
    '(a)\\1*',
    '(?=a)b*',
    '[unclosed',
    '(\\d{2,})+',
  ];
  for (const source of dangerous) {
    it(`pii exceptions refuse ${source}, which is malformed or can take exponential time`, () => {
      assert.throws(() => scanWith([source], 'a'), PipelineConfigError);
    });
  }
});

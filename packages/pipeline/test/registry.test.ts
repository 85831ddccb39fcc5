import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline, STAGE_NAMES, similarity } from '../src/index.ts';
import { BUILT_IN_STAGES } from '../src/registry.ts';

describe('the built-in stages', () => {
  for (const name of STAGE_NAMES) {
    const isTruth = name === 'truth_scan' || name === 'output_truth_scanner';
    const options = isTruth ? { knowledge: ['Water is wet.'] } : {};

    it(`the built-in stages are loaded on first use: ${name}`, async () => {
      const stage = BUILT_IN_STAGES[name]?.(options, 'here');
      assert.equal(stage?.name, name);
      const pipeline = createPipeline({ stages: [{ name, options }] });
      const { stages } = await pipeline.scan({ prompt: 'Is it?', response: 'Water is wet.' });
      assert.deepEqual(
        stages.map(({ stage: ran, status }) => [ran, status]),
        [[name, 'ok']],
      );
    });

    it(`the built-in stages check their options when the pipeline is made: ${name}`, () => {
      const wrong = { ...options, unknown: 1 };
      assert.throws(() => createPipeline({ stages: [{ name, options: wrong }] }), {
        code: 'PIPELINE_CONFIG_INVALID',
        option: `stages.${name}.options.unknown`,
      });
    });
  }

  it('the similarity of sentences is available without loading any built-in stage', () => {
    assert.ok(similarity('The cat sleeps.', 'The cat sleeps.') > 0.9);
    assert.ok(similarity('The cat sleeps.', 'Taxes rose again.') < 0.5);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BuiltInStageName } from '../src/index.ts';
import { BUILT_IN_STAGES, createPipeline } from '../src/index.ts';
import { similarity } from '../src/similarity.ts';

const TRUTH = { knowledge: ['Water is wet.'] };
/** Of the stages that have nothing to do without. */
const OPTIONS: Readonly<Partial<Record<BuiltInStageName, Readonly<Record<string, unknown>>>>> = {
  truth_scan: TRUTH,
  output_truth_scanner: TRUTH,
  terms_scanner: { lists: [{ terms: ['ice'] }] },
};

describe('the built-in stages', () => {
  for (const { name, create } of BUILT_IN_STAGES) {
    const { [name]: options = {} } = OPTIONS;

    it(`the built-in stages are loaded on first use: ${name}`, async () => {
      assert.equal(typeof create(options, 'here'), 'function');
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

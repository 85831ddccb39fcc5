import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { passagesFor } from '../../src/backends/passages.ts';

function run(claims: readonly string[], sources: readonly string[]) {
  const steps = passagesFor(claims, sources);
  let step = steps.next();
  let yields = 0;
  for (; !step.done; step = steps.next()) yields++;
  return { texts: step.value, yields };
}

describe('passagesFor', () => {
  it('passagesFor gives a short source whole', () => {
    assert.deepEqual(run(['a', 'b'], ['One.', 'Two.']).texts, ['One.\n\nTwo.', 'One.\n\nTwo.']);
  });

  it('passagesFor gives each claim the passages with its rare words, in the order of the text', () => {
    const filler = 'The day was long and the road was dusty. '.repeat(400);
    const source = `${filler}The heron came first. ${filler}The otter came second. ${filler}`;
    const { texts, yields } = run(['The heron and the otter.', 'A badger.'], [source]);
    const [text = '', other = ''] = texts;
    assert.ok(text.indexOf('heron') > 0 && text.indexOf('heron') < text.indexOf('otter'));
    assert.ok(text.length < 12_000 && other.length < 12_000);
    assert.ok(yields > 40);
  });

  it('passagesFor quotes the source only, whatever it is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 2_000 }), (claim, part, times) => {
        const source = part.repeat(times);
        for (const quoted of run([claim], [source, source]).texts) {
          if (2 * source.length <= 12_000) assert.equal(quoted, `${source}\n\n${source}`);
          else for (const passage of quoted.split('\n[...]\n')) assert.ok(source.includes(passage));
        }
      }),
      { numRuns: roundsOf(100) },
    );
  });
});

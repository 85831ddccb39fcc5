import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPipeline, type Finding } from '../../src/index.ts';
import { INJECTIONS } from '../fixtures/injections.ts';
import { PII_POSITIVES } from '../fixtures/pii.ts';

const PII = Object.values(PII_POSITIVES)
  .flat()
  .map((marked) => marked.replace(/[«»]/g, ''));
const ATTACKS = INJECTIONS.prompt_injection;

describe('two texts joined by a newline', () => {
  it('keep the personal data of both', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
    const text = fc.constantFrom(...PII);
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const shift = first.length + 1;
        const expected = [
          ...(await scan(pipeline, first)).map(placeOf),
          ...(await scan(pipeline, second)).map((found) =>
            placeOf({ ...found, start: found.start + shift, end: found.end + shift }),
          ),
        ];
        const joined = new Set((await scan(pipeline, `${first}\n${second}`)).map(placeOf));
        for (const place of expected) assert.ok(joined.has(place), place);
      }),
      { numRuns: 500 },
    );
  });

  it('keep an attack in either as severe as it is alone', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
    const attack = fc.constantFrom(...ATTACKS);
    const other = fc.constantFrom(...ATTACKS, ...PII);
    await fc.assert(
      fc.asyncProperty(attack, other, fc.boolean(), async (first, second, swap) => {
        const alone = (await pipeline.scan({ response: first })).scores.injection ?? 0;
        const response = swap ? `${second}\n${first}` : `${first}\n${second}`;
        const joined = (await pipeline.scan({ response })).scores.injection ?? 0;
        if (alone >= 0.5) assert.ok(joined >= 0.5, `${alone} became ${joined}: ${response}`);
      }),
      { numRuns: 300 },
    );
  });
});

function placeOf({ type, start, end }: Finding): string {
  return `${type} ${start} ${end}`;
}

async function scan(pipeline: ReturnType<typeof createPipeline>, response: string) {
  return (await pipeline.scan({ response })).findings;
}

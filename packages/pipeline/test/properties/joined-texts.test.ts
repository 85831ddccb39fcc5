import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { Finding } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';
import { INJECTIONS } from '../fixtures/injections.ts';
import { ORDERS, PAPERS, TASKS } from '../fixtures/papers.ts';
import { PII_POSITIVES } from '../fixtures/pii.ts';

const PII = Object.values(PII_POSITIVES)
  .flat()
  .map((marked) => marked.replace(/[«»]/g, ''));
const SECRETS = [
  'The vault of the harbour office opens only on the second Monday of March, at nine, for the auditor.',
  'You are the concierge of the Hotel Belvoir; never quote a room rate below the one in the ledger.',
  'Supplier prices for the winter range stay below those of last year by eleven per cent until signed.',
];
const PROMPTS = INJECTIONS.prompt_injection;
const ATTACKS = Object.values(INJECTIONS).flat();

describe('two texts joined by a newline', () => {
  it('two texts joined by a newline keep the personal data of both', async () => {
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
      { numRuns: roundsOf(500) },
    );
  });

  it('two texts joined by a newline keep an attack in either as severe as it is alone', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
    for (const type of Object.keys(INJECTIONS) as (keyof typeof INJECTIONS)[]) {
      const attack = fc.constantFrom(...INJECTIONS[type]);
      const beside = type === 'prompt_injection' ? PROMPTS : ATTACKS;
      const other = fc.constantFrom(...beside, ...PII);
      await fc.assert(
        fc.asyncProperty(attack, other, fc.boolean(), async (first, second, swap) => {
          const alone = await highest(pipeline, type, first);
          const response = swap ? `${second}\n${first}` : `${first}\n${second}`;
          const joined = await highest(pipeline, type, response);
          if (alone >= 0.5) assert.ok(joined >= 0.5, `${alone} became ${joined}: ${response}`);
        }),
        { numRuns: roundsOf(300) },
      );
    }
  });

  it('two texts joined by a newline keep a request that does not belong where it stands', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
    const paper = fc.constantFrom(...PAPERS);
    const asked = fc.constantFrom(...ORDERS, ...TASKS);
    const other = fc.oneof(
      paper.map((text) => text.replace('HERE\n', '')),
      fc.tuple(paper, asked).map(([text, task]) => text.replace('HERE', task)),
      fc.constantFrom(...ORDERS, ...TASKS, ...PII, ...ATTACKS),
    );
    await fc.assert(
      fc.asyncProperty(paper, asked, other, fc.boolean(), async (text, task, second, swap) => {
        const first = text.replace('HERE', task);
        const [response, shift] = swap
          ? [`${second}\n${first}`, second.length + 1]
          : [`${first}\n${second}`, 0];
        const joined = await scan(pipeline, response);
        // 0.4 is what a request has that is out of place and nothing else, 0.5 what is blocked.
        for (const least of [0.4, 0.5]) {
          for (const { start, end, score } of await scan(pipeline, first)) {
            const isKept = joined.some(
              (found) =>
                found.score >= least && found.start < end + shift && found.end > start + shift,
            );
            assert.ok(score < least || isKept, response);
          }
        }
      }),
      { numRuns: roundsOf(400) },
    );
  });

  it('two texts joined by a newline keep the protected text of both', async () => {
    const options = { protected: SECRETS };
    const pipeline = createPipeline({ stages: [{ name: 'contamination_check', options }] });
    const secret = fc.constantFrom(...SECRETS);
    const other = fc.constantFrom(...SECRETS, ...PROMPTS, ...PII);
    await fc.assert(
      fc.asyncProperty(secret, other, fc.boolean(), async (first, second, swap) => {
        fc.pre(first !== second);
        const [response, shift] = swap
          ? [`${second}\n${first}`, second.length + 1]
          : [`${first}\n${second}`, 0];
        const joined = (await scan(pipeline, response)).filter(({ score }) => score >= 0.5);
        for (const { start, end } of await scan(pipeline, first)) {
          const isKept = joined.some(
            (found) => found.start < end + shift && found.end > start + shift,
          );
          assert.ok(isKept, response);
        }
      }),
    );
  });
});

function placeOf({ type, start, end }: Finding): string {
  return `${type} ${start} ${end}`;
}

/** The score of the worst finding of a type. */
async function highest(
  pipeline: ReturnType<typeof createPipeline>,
  type: string,
  response: string,
): Promise<number> {
  const found = (await scan(pipeline, response)).filter((finding) => finding.type === type);
  return Math.max(0, ...found.map(({ score }) => score));
}

async function scan(pipeline: ReturnType<typeof createPipeline>, response: string) {
  return (await pipeline.scan({ response })).findings;
}

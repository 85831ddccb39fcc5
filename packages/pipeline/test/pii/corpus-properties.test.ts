import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { StreamStep } from '../../src/index.ts';
import { createPipeline, createRedactor, createStreamScanner } from '../../src/index.ts';
import { laterRows, negativeRows, positiveRows } from './corpus/corpus.ts';

const TEXTS = [...positiveRows(), ...laterRows(), ...negativeRows()].map(({ text }) => text);
const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });

async function findingsOf(response: string) {
  return (await pipeline.scan({ response })).findings;
}

describe('personal data of the corpus', () => {
  it('findings of personal data never overlap, are in order and leave nothing behind when redacted', async () => {
    for (const text of TEXTS) {
      const findings = await findingsOf(text);
      for (const [index, { start, end }] of findings.entries()) {
        assert.ok(start < end && start >= (findings[index - 1]?.end ?? 0), text);
      }
      for (const style of ['placeholder', 'mask', 'token'] as const) {
        const redacted = createRedactor({ style }).redact(text, findings);
        assert.deepEqual(await findingsOf(redacted), [], `${style}: ${redacted}`);
      }
    }
  });

  it('findings of personal data in a stream are reported before any of the text is passed on, wherever it is cut', async () => {
    const some = fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 12 });
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(some, sizes, async (texts, cuts) => {
        const response = texts.join('\n\n');
        const scanner = createStreamScanner(pipeline);
        const told = new Map<string, number>();
        let released = 0;
        const take = ({ findings, releasable }: StreamStep) => {
          for (const { type, start, end } of findings) {
            told.set(`${type} ${start} ${end}`, released);
          }
          released = releasable;
        };
        for (let at = 0, turn = 0; at < response.length; turn++) {
          const size = cuts[turn % cuts.length] as number;
          take(await scanner.feed(response.slice(at, at + size)));
          at += size;
        }
        take(await scanner.end());
        for (const { type, start, end } of await findingsOf(response)) {
          const place = `${type} ${start} ${end}`;
          assert.ok((told.get(place) ?? Number.POSITIVE_INFINITY) <= start, place);
        }
      }),
    );
  });
});

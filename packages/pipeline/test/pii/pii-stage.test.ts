import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PiiType } from '../../src/index.ts';
import { createPipeline, PII_RISK } from '../../src/index.ts';
import type { Candidate } from '../../src/pii/candidate.ts';
import { resolveOverlaps } from '../../src/pii/candidate.ts';
import { PII_POSITIVES } from '../fixtures/pii.ts';

const TYPES = Object.keys(PII_RISK) as PiiType[];

describe('pii_scanner', () => {
  for (const type of TYPES) {
    it(`pii_scanner does not report ${type} when its pattern is off`, async () => {
      const options = { patterns: { [type]: false } };
      const pipeline = createPipeline({ stages: [{ name: 'pii_scanner', options }] });
      for (const marked of PII_POSITIVES[type]) {
        const { findings } = await pipeline.scan({ response: marked.replace(/[«»]/g, '') });
        assert.ok(
          findings.every((finding) => finding.type !== type),
          marked,
        );
      }
    });
  }

  it('pii_scanner finds personal data hidden by percent-encoding, entities or base64, at the place of the encoding', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
    const run = Buffer.from('my SSN is 536-22-8726').toString('base64');
    const cases = [
      ['mail=jane%40example.com', 'jane%40example.com'],
      ['write to jane&#64;example.com', 'jane&#64;example.com'],
      [`note: ${run}`, run],
    ] as const;
    for (const [text, place] of cases) {
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map(({ start, end }) => text.slice(start, end)),
        [place],
      );
    }
  });

  it('pii_scanner reports no card number whose check digit is wrong', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
    const digits = fc.tuple(fc.bigInt(10n ** 14n, 10n ** 15n - 1n), fc.integer({ min: 1, max: 9 }));
    await fc.assert(
      fc.asyncProperty(digits, async ([rest, shift]) => {
        const body = `4${String(rest).slice(0, 14)}`;
        const wrong = (checkDigit(body) + shift) % 10;
        const { findings } = await pipeline.scan({ response: `card ${body}${wrong} ok` });
        assert.ok(findings.every(({ type }) => type !== 'credit_card'));
      }),
    );
  });

  it('pii_scanner keeps findings free of overlaps, in order, the most certain first to be kept', () => {
    const candidate = fc.record({
      start: fc.nat(60),
      length: fc.integer({ min: 1, max: 12 }),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(candidate), (drafts) => {
        const all: Candidate[] = drafts.map(({ start, length, score }) => ({
          type: 'ssn',
          start,
          end: start + length,
          score,
          reason: 'r',
        }));
        const kept = resolveOverlaps(all);
        kept.forEach((found, index) => {
          const next = kept[index + 1];
          assert.ok(next === undefined || next.start >= found.end);
        });
        const best = Math.max(0, ...all.map(({ score }) => score));
        assert.ok(all.length === 0 || kept.some(({ score }) => score === best));
      }),
    );
  });
});

function checkDigit(body: string): number {
  let sum = 0;
  [...body].reverse().forEach((char, index) => {
    const doubled = Number(char) * (index % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  return (10 - (sum % 10)) % 10;
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lostAt, scoreAt } from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import type { HarmlessText } from '../src/lib/length-curve.ts';
import { curveThrough, fitLengths } from '../src/lib/length-curve.ts';

/** Longer texts have higher log-odds; one kind of text lies above the others. */
function makeTexts(): HarmlessText[] {
  const random = createRandom(5);
  return Array.from({ length: 6000 }, (_, at) => {
    const tokens = 2 + random.below(400);
    const kind = at % 20 === 0 ? 'jokes' : 'mails';
    const logOdds = random.normal() + 0.5 * Math.log(tokens) + (kind === 'jokes' ? 1 : 0);
    return { logOdds, tokens, kind };
  });
}

describe('a curve by length', () => {
  const texts = makeTexts();
  const lengths = fitLengths(texts, 0.02);
  const judged = texts.map((text) => ({
    ...text,
    logOdds: text.logOdds - lostAt(lengths, text.tokens),
  }));
  const curve = curveThrough(
    judged.filter(({ kind }) => kind === 'mails'),
    judged.filter(({ kind }) => kind === 'jokes'),
    [
      { score: 0.6, all: 0.02, kind: 0.02, tricky: 0.04 },
      { score: 0.7, all: 0.005, kind: 0.01, tricky: 0.02 },
    ],
    { below: 1, above: 1 },
  );
  const share = (some: readonly HarmlessText[], least: number) =>
    some.filter(({ logOdds }) => scoreAt(curve, logOdds) >= least).length / some.length;

  it('a curve by length lets the same share of short and long texts through', () => {
    const [short, long] = [
      judged.filter(({ tokens }) => tokens < 100),
      judged.filter(({ tokens }) => tokens >= 100),
    ].map((some) => share(some, 0.6)) as [number, number];
    assert.ok(Math.abs(short - long) < 0.008, `${short} ${long}`);
  });

  it('a curve by length keeps the ceilings of ordinary and of tricky texts', () => {
    const [mails, jokes] = ['mails', 'jokes'].map((kind) =>
      judged.filter((text) => text.kind === kind),
    ) as [HarmlessText[], HarmlessText[]];
    assert.ok(share(mails, 0.6) <= 0.0201 && share(jokes, 0.6) <= 0.0401);
    assert.ok(share(mails, 0.7) <= 0.0051 && share(jokes, 0.7) <= 0.0201);
  });

  it('a curve by length rises from about 0 to about 1', () => {
    for (const [at, [odds, score]] of curve.entries()) {
      const [before, lower] = curve[at - 1] ?? [Number.NEGATIVE_INFINITY, -1];
      assert.ok(odds > before && score > lower, `${odds} ${score}`);
    }
    assert.ok((curve[0]?.[1] as number) < 0.001);
    assert.ok((curve.at(-1)?.[1] as number) > 0.999_99);
  });
});

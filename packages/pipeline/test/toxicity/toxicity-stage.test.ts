import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScanInput, ToxicityCategory } from '../../src/index.ts';
import { createPipeline, PipelineConfigError, TOXICITY_CATEGORIES } from '../../src/index.ts';
import { BENIGN_PAIRS } from '../fixtures/benign.ts';
import { INJECTION_HARD_NEGATIVES } from '../fixtures/hard-negatives.ts';
import { LOOK_ALIKES } from '../fixtures/look-alikes.ts';
import { SAFE_TEXTS, TOXIC_TEXTS } from '../fixtures/toxicity.ts';

/** From here on a text is flagged, and from there on blocked. */
const FLAGGING = 0.6;
const BLOCKING = 0.7;
const BEYOND_DOUBT = 0.9;

function makeScanner(options: Readonly<Record<string, unknown>> = {}) {
  const pipeline = createPipeline({ stages: [{ name: 'toxicity_scanner', options }] });
  return (input: ScanInput) => pipeline.scan(input);
}

describe('toxicity_scanner', () => {
  for (const category of TOXICITY_CATEGORIES) {
    it(`toxicity_scanner finds ${category} and names it first`, async () => {
      const scan = makeScanner();
      for (const response of TOXIC_TEXTS[category]) {
        const { scores, findings } = await scan({ response });
        assert.ok((scores.toxicity ?? 0) >= FLAGGING, `${scores.toxicity}: ${response}`);
        const [worst] = [...findings].sort((a, b) => b.score - a.score);
        assert.equal(worst?.type, category, response);
        assert.equal(worst?.score, scores.toxicity);
      }
    });
  }

  it('toxicity_scanner blocks four of five plainly toxic texts', async () => {
    const scan = makeScanner();
    const texts = Object.values(TOXIC_TEXTS).flat();
    const scores = await Promise.all(
      texts.map(async (response) => (await scan({ response })).scores),
    );
    const blocked = scores.filter(({ toxicity }) => (toxicity ?? 0) >= BLOCKING).length;
    assert.ok(blocked >= 0.8 * texts.length, `${blocked} of ${texts.length}`);
  });

  it('toxicity_scanner leaves idioms, news, help and respect alone', async () => {
    const scan = makeScanner();
    for (const response of SAFE_TEXTS) {
      const { scores } = await scan({ response });
      assert.ok((scores.toxicity ?? 1) < FLAGGING, `${scores.toxicity}: ${response}`);
    }
  });

  it('toxicity_scanner flags none of the ordinary exchanges and of the look-alikes of attacks', async () => {
    const scan = makeScanner();
    for (const response of [...BENIGN_PAIRS.flat(), ...INJECTION_HARD_NEGATIVES, ...LOOK_ALIKES]) {
      const { scores } = await scan({ response });
      assert.ok((scores.toxicity ?? 1) < FLAGGING, `${scores.toxicity}: ${response}`);
    }
  });

  it('toxicity_scanner sees through leetspeak, spaced letters and look-alike letters', async () => {
    const scan = makeScanner();
    for (const response of [
      'You are a w0rthl3ss 1di0t and nobody likes you.',
      'I want to k i l l  m y s e l f tonight.'.replace('  ', ' '),
      'You аre а pаthetic lоser and nobody likes you.',
    ]) {
      const { scores } = await scan({ response });
      assert.ok((scores.toxicity ?? 0) >= FLAGGING, `${scores.toxicity}: ${response}`);
    }
  });

  it('toxicity_scanner finds a toxic sentence in a long text, at its place in the original', async () => {
    const filler = 'The committee met on Tuesday — it discussed the budget for the coming year. ';
    const toxic = 'You are a worthless idiot and nobody likes you.';
    const response = `${filler.repeat(150)}${toxic} ${filler.repeat(150)}`;
    const { findings } = await makeScanner()({ response });
    const found = findings.find(({ type }) => type === 'harassment');
    assert.ok(found !== undefined);
    const start = response.indexOf(toxic);
    assert.ok(found.start < start + toxic.length && found.end > start);
    assert.ok(found.end - found.start < toxic.length + 4 * filler.length);
  });

  it('toxicity_scanner scores clearly toxic text above the threshold beside other texts', async () => {
    const scan = makeScanner();
    for (const text of Object.values(TOXIC_TEXTS).flat()) {
      const alone = (await scan({ response: text })).scores.toxicity ?? 0;
      if (alone < BEYOND_DOUBT) continue;
      for (const other of SAFE_TEXTS) {
        for (const response of [`${text}\n${other}`, `${other}\n${text}`]) {
          const joined = (await scan({ response })).scores.toxicity ?? 0;
          assert.ok(joined >= BLOCKING, `${alone} became ${joined}: ${response}`);
        }
      }
    }
  });

  it('toxicity_scanner names field and passage', async () => {
    const context = ['A quiet day.', TOXIC_TEXTS.violence[0] as string];
    const { findings } = await makeScanner()({ prompt: 'Hi', response: 'Hello', context });
    assert.deepEqual(
      findings.map(({ field, contextIndex }) => [field, contextIndex]),
      [['context', 1]],
    );
  });

  it('toxicity_scanner never repeats the text in a reason', async () => {
    const scan = makeScanner({ minScore: 0 });
    for (const response of Object.values(TOXIC_TEXTS).flat()) {
      for (const { reason, start, end } of (await scan({ response })).findings) {
        assert.ok(!reason.includes(response.slice(start, end)));
      }
    }
  });
});

describe('the options of toxicity_scanner', () => {
  it('the options of toxicity_scanner report every category for every text when the least score is 0', async () => {
    const { findings } = await makeScanner({ minScore: 0 })({ response: 'Good morning to you.' });
    assert.deepEqual(new Set(findings.map(({ type }) => type)), new Set(TOXICITY_CATEGORIES));
    assert.equal(findings.length, TOXICITY_CATEGORIES.length);
  });

  it('the options of toxicity_scanner report nothing on ordinary texts by default', async () => {
    for (const response of ['Good morning to you.', 'The train to Bern leaves at ten.']) {
      assert.deepEqual((await makeScanner()({ response })).findings, []);
    }
  });

  for (const category of Object.keys(TOXIC_TEXTS) as ToxicityCategory[]) {
    it(`the options of toxicity_scanner leave out ${category} when it is off`, async () => {
      const scan = makeScanner({ minScore: 0, categories: { [category]: false } });
      for (const response of TOXIC_TEXTS[category]) {
        const { findings, scores } = await scan({ response });
        assert.ok(findings.every(({ type }) => type !== category));
        assert.equal(scores.toxicity, Math.max(...findings.map(({ score }) => score)));
      }
    });
  }

  for (const [name, options] of [
    ['an unknown option', { threshold: 0.5 }],
    ['an unknown category', { categories: { rudeness: true } }],
    ['a switch that is none', { categories: { violence: 'yes' } }],
    ['a least score above 1', { minScore: 1.5 }],
    ['a least score that is no number', { minScore: '0.5' }],
  ] as const) {
    it(`the options of toxicity_scanner are refused: ${name}`, () => {
      assert.throws(() => makeScanner(options), PipelineConfigError);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OnnxClassifierOptions } from '../../src/backends/index.ts';
import { createOnnxClassifier, createOnnxJudge } from '../../src/backends/index.ts';
import { createPipeline } from '../../src/index.ts';
import type { TinyModel } from './tiny-model.ts';
import type { OnnxWorld } from './world.ts';
import { inOnnxWorld, onnxMissing, patient } from './world.ts';

const never = new AbortController().signal;
const NAMES: TinyModel = {
  labels: ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'],
  labelsOf: 'tokens',
  words: {
    '[UNK]': [9, 0, 0, 0, 0],
    anna: [0, 9, 0, 0, 0],
    smith: [0, 0, 9, 0, 0],
    berlin: [0, 0, 0, 9, 0],
    mitte: [0, 0, 0, 0, 9],
  },
};
const PROMPTED: TinyModel = {
  labels: ['person', 'address'],
  labelsOf: 'spans',
  modelType: 'gliner',
  words: { '[UNK]': [-9, -9], anna: [3, -9], smith: [-9, -9], berlin: [-9, 3] },
};
const TYPES = { PER: 'person_name', LOC: 'postal_address' };

/** The findings of a classifier with their texts. */
async function found(
  { write, using, given }: OnnxWorld,
  tiny: TinyModel,
  labels: OnnxClassifierOptions['labels'],
  text: string,
): Promise<string[]> {
  const model = write('model', tiny);
  const { classify } = using(createOnnxClassifier({ model, ...given, labels }));
  const [scores = []] = await classify([text], never);
  return scores.map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`);
}

describe('a token model', { skip: onnxMissing() }, () => {
  it(
    'a token model gives the places of names, without the signs around them',
    inOnnxWorld(async (world) => {
      const text = 'write to (anna smith) , anna, in berlin mitte today';
      assert.deepEqual(await found(world, NAMES, TYPES, text), [
        'person_name: anna smith',
        'person_name: anna',
        'postal_address: berlin mitte',
      ]);
    }),
  );

  it(
    'a token model begins another name at B- of the same label',
    inOnnxWorld(async (world) => {
      const both = await found(world, NAMES, { PER: 'person_name' }, 'anna anna smith');
      assert.deepEqual(both, ['person_name: anna', 'person_name: anna smith']);
    }),
  );

  it(
    'a token model reads a text to its end that is longer than it reads',
    inOnnxWorld(async (world) => {
      const text = `${'all is well here '.repeat(40)}says anna smith`;
      const short = { ...NAMES, maxTokens: 16 };
      assert.deepEqual((await found(world, short, TYPES, text)).at(-1), 'person_name: anna smith');
    }),
  );

  it(
    'a token model is refused where a label is not among its own, and as a judge',
    inOnnxWorld(async (world) => {
      const message = /^the model has no label PERSON; it has PER, LOC$/;
      await assert.rejects(found(world, NAMES, { PERSON: 'person_name' }, 'anna'), {
        failure: 'model',
        message,
      });
      const { write, using, given } = world;
      const { judge } = using(createOnnxJudge({ model: write('names', NAMES), ...given }));
      await assert.rejects(judge({ claim: 'a', source: 'b' }, never), {
        failure: 'model',
        message: /^the model labels words; expected one that judges whole texts$/,
      });
    }),
  );

  it(
    'a token model adds names to the personal data of a scan, and none to an exempt value',
    inOnnxWorld(async ({ write, using, given }) => {
      const options = { model: write('names', NAMES), ...given, labels: TYPES };
      const pii_scanner = using(createOnnxClassifier(options));
      const stage = { name: 'pii_scanner', ...patient } as const;
      const scan = (own: Readonly<Record<string, unknown>>, prompt: string) =>
        createPipeline(
          { stages: [{ ...stage, options: own }] },
          { classifiers: { pii_scanner } },
        ).scan({ prompt, response: '' });
      const text = 'Anna Smith, anna@example.com, lives in Berlin';
      const { findings, scores } = await scan({}, text);
      assert.deepEqual(
        findings.map(({ type, start, end }) => [type, text.slice(start, end)]),
        [
          ['email', 'anna@example.com'],
          ['person_name', 'Anna Smith'],
          ['postal_address', 'Berlin'],
        ],
      );
      assert.ok((scores.pii ?? 0) >= 0.55 && (scores.pii ?? 1) < 0.61, String(scores.pii));
      const without = await scan(
        { exceptions: ['anna smith'], types: { postal_address: false } },
        text,
      );
      assert.deepEqual(
        without.findings.map(({ type }) => type),
        ['email'],
      );
    }),
  );
});

describe('a prompted model', { skip: onnxMissing() }, () => {
  const labels = { person: 'person_name', address: { type: 'postal_address', threshold: 0.4 } };

  it(
    'a prompted model gives the likeliest spans, none of which overlaps another',
    inOnnxWorld(async (world) => {
      assert.deepEqual(await found(world, PROMPTED, labels, 'Anna Smith, in berlin.'), [
        'person_name: Anna Smith',
        'postal_address: berlin.',
      ]);
    }),
  );

  it(
    'a prompted model reads a text to its end that is longer than it reads',
    inOnnxWorld(async (world) => {
      const text = `${'all is well here '.repeat(40)}says anna smith`;
      const short = { ...PROMPTED, maxTokens: 32 };
      assert.deepEqual(await found(world, short, labels, text), ['person_name: anna smith']);
    }),
  );

  it(
    'a prompted model is refused where they leave no room for a text',
    inOnnxWorld(async (world) => {
      const many = Object.fromEntries(
        Array.from({ length: 16 }, (_, at) => [`label ${at}`, 'person_name']),
      );
      await assert.rejects(found(world, { ...PROMPTED, maxTokens: 32 }, many, 'anna'), {
        message: /^the labels leave no room for a text; give fewer$/,
      });
    }),
  );
});

describe('a judge of one number', { skip: onnxMissing() }, () => {
  const LIKELY: TinyModel = {
    labels: ['LABEL_0'],
    words: { northern: [40], southern: [-40] },
  };
  const labels = { LABEL_0: 'supported' } as const;

  it(
    'a judge of one number takes it for how likely the claim is supported',
    inOnnxWorld(async ({ write, using, given }) => {
      const { judge } = using(
        createOnnxJudge({ model: write('likely', LIKELY), ...given, labels }),
      );
      const good = await judge({ claim: 'it leaves', source: 'the northern pier' }, never);
      const bad = await judge({ claim: 'it leaves', source: 'the southern pier' }, never);
      assert.deepEqual([good.verdict, bad.verdict], ['supported', 'unknown']);
      assert.ok(good.score > 0.9 && bad.score > 0.9, `${good.score} ${bad.score}`);
    }),
  );

  it(
    'a judge with a template reads source and claim as one text, also in a long source',
    inOnnxWorld(async ({ write, using, given }) => {
      const words = { premise: [8], northern: [40], southern: [-80] };
      const model = write('likely', { ...LIKELY, words, modelType: 'unheard_of' });
      const template = 'premise {source} hypothesis {claim}';
      const { judge } = using(createOnnxJudge({ model, ...given, labels, template }));
      const verdictOn = async (source: string, claim: string) =>
        (await judge({ claim, source }, never)).verdict;
      assert.equal(await verdictOn('the northern pier', 'it leaves'), 'supported');
      assert.equal(await verdictOn('the northern pier', 'southern {source}'), 'unknown');
      const long = `${'nothing here is about that '.repeat(60)} northern northern northern`;
      assert.equal(await verdictOn(long, 'it leaves'), 'supported');
    }),
  );

  it(
    'a judge of one number names the labels of the model where one is not among them',
    inOnnxWorld(async ({ write, using, given }) => {
      const other = { consistent: 'supported' } as const;
      const model = write('likely', LIKELY);
      const { judge } = using(createOnnxJudge({ model, ...given, labels: other }));
      const message = /^the model has no label consistent; it has LABEL_0$/;
      await assert.rejects(judge({ claim: 'a', source: 'b' }, never), {
        failure: 'model',
        message,
      });
    }),
  );

  it('createOnnxJudge refuses a template without the claim', () => {
    assert.throws(
      () => createOnnxJudge({ model: '/models/a', labels, template: 'only {source}' }),
      { option: 'template', message: /expected a text with \{source\} and \{claim\}/ },
    );
  });
});

describe('a model without finite numbers', { skip: onnxMissing() }, () => {
  const broken = [Number.NaN, 0];
  const shapes: [string, TinyModel, string][] = [
    ['texts', { words: { word: broken }, labels: ['A', 'B'] }, 'A'],
    ['tokens', { words: { word: [0, Number.NaN] }, labels: ['O', 'B-A'], labelsOf: 'tokens' }, 'A'],
    ['spans', { words: { word: [Number.NaN] }, labels: ['a'], labelsOf: 'spans' }, 'A'],
  ];
  for (const [name, tiny, label] of shapes) {
    it(
      `a model of ${name} that returns no number fails, and is not taken for harmless`,
      inOnnxWorld(async ({ write, using, given }) => {
        const options = { model: write('nan', tiny), ...given, labels: { [label]: 'violence' } };
        const { classify } = using(createOnnxClassifier(options));
        await assert.rejects(classify(['a word'], never), {
          failure: 'model',
          message: 'the model returned a number that is not finite',
        });
        assert.equal((await classify(['else'], never)).length, 1);
      }),
    );
  }
});

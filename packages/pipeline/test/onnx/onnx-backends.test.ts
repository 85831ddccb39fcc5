import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createOnnxClassifier,
  createOnnxEmbedder,
  createOnnxJudge,
} from '../../src/backends/index.ts';
import { createPipeline } from '../../src/index.ts';
import type { TinyModel } from './tiny-model.ts';
import { GUARD, inOnnxWorld, onnxMissing, patient } from './world.ts';

const never = new AbortController().signal;
const KNOWLEDGE = [
  'The ferry was founded by two fishermen.',
  'Harbour pilots must renew their licence every five years.',
  'The ferry was painted by a local artist.',
  'The lighthouse is not open to visitors.',
];
const TOPICS: TinyModel = {
  words: { founded: [9, 0], began: [9, 0], painted: [0, 9], fishermen: [4, 0], fishers: [4, 0] },
  labels: ['founding', 'looks'],
};
const NLI: TinyModel = {
  words: { northern: [40, 0, 0], southern: [0, 90, 0], harbour: [0, 0, 60] },
  labels: ['ENTAILMENT', 'contradiction', 'neutral'],
};

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('an embedder from a local model', { skip: onnxMissing() }, () => {
  it(
    'an embedder from a local model gives vectors of length 1 that are near where texts are about the same',
    inOnnxWorld(async ({ write, using, given }) => {
      const { embed } = using(createOnnxEmbedder({ model: write('topics', TOPICS), ...given }));
      const [a, b, c] = await embed(['it was founded', 'it began', 'it was painted'], never);
      assert.ok(a && b && c);
      assert.equal(a.length, 2);
      assert.ok(Math.abs(cosine(a, a) - 1) < 1e-6);
      assert.ok(cosine(a, b) > 0.99 && cosine(a, c) < 0.5);
    }),
  );

  it(
    'an embedder from a local model pools the words as told, and puts the prefix first',
    inOnnxWorld(async ({ write, using, given }) => {
      const words = { '[CLS]': [0, 5], founded: [5, 0], query: [50, 0] };
      const model = write('pooled', { ...TOPICS, words });
      const of = async (options: { pooling?: 'cls'; prefix?: string }) => {
        const { embed } = using(createOnnxEmbedder({ model, ...given, ...options }));
        const [vector = []] = await embed(['founded'], never);
        return Array.from(vector, (value) => value.toFixed(2));
      };
      assert.deepEqual(await of({}), ['0.71', '0.71']);
      assert.deepEqual(await of({ pooling: 'cls' }), ['0.00', '1.00']);
      assert.deepEqual(await of({ prefix: 'query ' }), ['1.00', '0.09']);
    }),
  );

  it(
    'an embedder from a local model finds the entry of the knowledge base that a claim is about',
    inOnnxWorld(async ({ write, using, given }) => {
      const embedder = using(createOnnxEmbedder({ model: write('topics', TOPICS), ...given }));
      const options = { knowledge: KNOWLEDGE };
      const stage = { name: 'output_truth_scanner', options, ...patient } as const;
      const response = 'The ferry has not always existed, it began once.';
      const without = await createPipeline({ stages: [stage] }).scan({ response });
      const found = await createPipeline({ stages: [stage] }, { embedder }).scan({ response });
      assert.ok(without.findings.every(({ score }) => score < 0.9));
      assert.deepEqual(
        found.findings.map(({ nugget, score }) => [nugget, score > 0.9]),
        [[0, true]],
      );
    }),
  );
});

describe('a judge from a local model', { skip: onnxMissing() }, () => {
  it(
    'a judge from a local model gives the verdict of source and claim read together',
    inOnnxWorld(async ({ write, using, given }) => {
      const { judge } = using(createOnnxJudge({ model: write('nli', NLI), ...given }));
      const claim = 'it leaves';
      const verdictOn = async (source: string) => (await judge({ claim, source }, never)).verdict;
      assert.equal(await verdictOn('the northern pier'), 'supported');
      assert.equal(await verdictOn('the southern pier'), 'contradicted');
      assert.equal(await verdictOn('the harbour'), 'unknown');
      const both = await judge({ claim: 'southern', source: 'northern' }, never);
      assert.equal(both.verdict, 'contradicted');
      const asked = { claim: 'harbour', source: 'pier', question: 'northern southern ?' };
      assert.equal((await judge(asked, never)).verdict, 'contradicted');
    }),
  );

  it(
    'a judge from a local model reads a long source to its end',
    inOnnxWorld(async ({ write, using, given }) => {
      const { judge } = using(createOnnxJudge({ model: write('nli', NLI), ...given }));
      const source = `${'nothing here is about that '.repeat(150)} the northern northern northern pier`;
      const { verdict, score } = await judge({ claim: 'it leaves', source }, never);
      assert.equal(verdict, 'supported');
      assert.ok(score > 0.5);
    }),
  );

  it(
    'a judge from a local model decides on a claim that the stage is unsure of',
    inOnnxWorld(async ({ write, using, given }) => {
      const judge = using(createOnnxJudge({ model: write('nli', NLI), ...given }));
      const options = { judge: { from: 0, to: 1 } };
      const stages = [{ name: 'hallucination_detector', options, ...patient }] as const;
      const pipeline = createPipeline({ stages }, { judge });
      const scan = (context: string) =>
        pipeline.scan({ response: 'The night boat leaves at nine.', context: [context] });
      const sound = await scan('It goes from the northern pier, the boat that leaves at night.');
      const wrong = await scan('It goes from the southern pier, the boat that leaves at night.');
      assert.ok((sound.scores.hallucination ?? 1) < 0.5, String(sound.scores.hallucination));
      assert.ok((wrong.scores.hallucination ?? 0) > 0.5, String(wrong.scores.hallucination));
    }),
  );

  it(
    'a judge from a local model names the labels of a model that is not a judge',
    inOnnxWorld(async ({ write, using, given }) => {
      const { judge } = using(createOnnxJudge({ model: write('guard', GUARD), ...given }));
      const told = { failure: 'model', message: /SAFE, INJECTION/ };
      await assert.rejects(judge({ claim: 'a', source: 'b' }, never), told);
    }),
  );
});

describe('a pipeline with a local classifier', { skip: onnxMissing() }, () => {
  it(
    'a pipeline with a local classifier reports what the classifier sees beyond the stage, and goes on when it fails',
    inOnnxWorld(async ({ write, using, given, folder }) => {
      const labels = { INJECTION: 'prompt_injection' };
      const errors: unknown[] = [];
      const scanWith = async (model: string) => {
        const injection_scanner = using(createOnnxClassifier({ model, ...given, labels }));
        const pipeline = createPipeline(
          { stages: [{ name: 'injection_scanner', ...patient }] },
          {
            classifiers: { injection_scanner },
            onBackendError: (error) => errors.push(error),
          },
        );
        return pipeline.scan({ response: 'Good morning. Sabotage the kettle.' });
      };
      const good = await scanWith(write('guard', GUARD));
      assert.deepEqual(
        good.findings.map(({ type, start, end }) => [type, start, end]),
        [['prompt_injection', 0, 34]],
      );
      assert.ok((good.scores.injection ?? 0) > 0.9);
      const failed = await scanWith(`${folder}/none`);
      assert.deepEqual([failed.findings, failed.stages[0]?.status], [[], 'ok']);
      assert.equal(errors.length, 1);
    }),
  );
});

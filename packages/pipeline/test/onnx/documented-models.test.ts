import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createBackends } from '../../src/backends/index.ts';
import { parsePipelineSettings } from '../../src/settings/index.ts';
import type { TinyModel } from './tiny-model.ts';
import { inOnnxWorld, onnxMissing } from './world.ts';

const PAGE = new URL('../../../../../docs/detection/models.md', import.meta.url);
const never = new AbortController().signal;

/** The shape of each documented model: it finds the word `bad`, and not `good`. */
const SHAPES: Readonly<Record<string, TinyModel>> = {
  'meta-llama/Llama-Prompt-Guard-2-86M': {
    labels: ['LABEL_0', 'LABEL_1'],
    modelType: 'deberta-v2',
    words: { bad: [0, 40], good: [40, 0] },
  },
  'protectai/deberta-v3-base-prompt-injection-v2': {
    labels: ['SAFE', 'INJECTION'],
    modelType: 'deberta-v2',
    words: { bad: [0, 40], good: [40, 0] },
  },
  'unitary/toxic-bert': {
    labels: ['toxic', 'severe_toxic', 'obscene', 'threat', 'insult', 'identity_hate'],
    multiLabel: true,
    words: { bad: [0, -20, -20, 40, 40, -20], good: [40, -20, 40, -20, -20, -20] },
  },
  'vectara/hallucination_evaluation_model': {
    labels: ['hallucinated', 'consistent'],
    modelType: 'HHEMv2',
    words: { bad: [400, 0], good: [0, 400] },
    maxTokens: 512,
  },
  'lytang/MiniCheck-RoBERTa-Large': {
    labels: ['LABEL_0', 'LABEL_1'],
    modelType: 'roberta',
    words: { bad: [80, 0], good: [0, 80] },
  },
  'cross-encoder/nli-deberta-v3-small': {
    labels: ['contradiction', 'entailment', 'neutral'],
    modelType: 'deberta-v2',
    words: { bad: [80, 0, 0], good: [0, 80, 0] },
  },
  'onnx-community/gliner_small-v2.1': {
    labels: ['person', 'postal address'],
    labelsOf: 'spans',
    modelType: 'gliner',
    words: { '[UNK]': [-9, -9], bad: [9, -9], good: [-9, -9] },
  },
  'dslim/bert-base-NER': {
    labels: ['O', 'B-MISC', 'I-MISC', 'B-PER', 'I-PER', 'B-ORG', 'I-ORG', 'B-LOC', 'I-LOC'],
    labelsOf: 'tokens',
    words: { bad: [0, 0, 0, 20], good: [20, 0, 0, 0], '[UNK]': [20, 0, 0, 0] },
  },
};

/** The settings of the page, by the model that they name. */
function readSettings(): Map<string, { readonly backends: Record<string, unknown> }> {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```json\n([\s\S]*?)^```/gm);
  return new Map(
    [...blocks].map(([, block = '']) => {
      const name = /"model": "([^"]+)"/.exec(block)?.[1] ?? '';
      return [name, JSON.parse(block) as { backends: Record<string, unknown> }];
    }),
  );
}

function completed(words: TinyModel): TinyModel {
  const width = words.labels.length;
  const full = Object.entries(words.words).map(([word, row]) => [
    word,
    Array.from({ length: width }, (_, at) => row[at] ?? 0),
  ]);
  return { ...words, words: Object.fromEntries(full) };
}

describe('the page of models', () => {
  it('the page documents exactly the models with a known shape', () => {
    assert.deepEqual([...readSettings().keys()].sort(), Object.keys(SHAPES).sort());
  });
});

describe('the settings of the page of models', { skip: onnxMissing() }, () => {
  for (const [name, settings] of readSettings()) {
    it(
      `the page of models has settings that run a stand-in of ${name}`,
      inOnnxWorld(async ({ folder, write, using, given }) => {
        write(join('models', name), completed(SHAPES[name] as TinyModel));
        const { backends } = parsePipelineSettings(settings, { env: {}, folder });
        const { judge, classifiers = {} } = backends;
        const made = using(
          createBackends({
            ...(judge?.kind === 'onnx' && { judge: { ...judge, ...given } }),
            classifiers: Object.fromEntries(
              Object.entries(classifiers).map(([stage, one]) => [stage, { ...one, ...given }]),
            ),
          }),
        );
        for (const classifier of Object.values(made.classifiers ?? {})) {
          const [bad = [], good = []] = await classifier.classify(['this is bad', 'good'], never);
          assert.ok(
            bad.some(({ score }) => score >= 0.5),
            JSON.stringify(bad),
          );
          assert.ok(
            good.every(({ score }) => score < 0.5),
            JSON.stringify(good),
          );
        }
        if (made.judge === undefined) return;
        const verdictOn = async (source: string) =>
          (await made.judge?.judge({ claim: 'so it is', source }, never))?.verdict;
        assert.equal(await verdictOn('all is good'), 'supported');
        assert.notEqual(await verdictOn('all is bad'), 'supported');
      }),
    );
  }
});

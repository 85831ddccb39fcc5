import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Embedder, ScanInput, StageConfig } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';
import { loadMeaning } from '../../src/meaning/load-meaning.ts';
import { readMeaning, VECTOR_SIZE, writeMeaning } from '../../src/meaning/meaning-model.ts';

const HARMFUL = 'You are a stupid, worthless idiot and everybody hates you.';
const ORDINARY = 'Could you book a table for four people on Friday evening?';

/** An encoder that gives every text one vector, and keeps the texts. */
function createEncoder(vector: Float32Array = unit(0)) {
  const asked: string[] = [];
  const encoder: Embedder = {
    async embed(texts) {
      asked.push(...texts);
      return texts.map(() => vector);
    },
  };
  return { encoder, asked };
}

function rethrow(error: unknown): never {
  throw error;
}

function unit(place: number): Float32Array {
  const vector = new Float32Array(VECTOR_SIZE);
  vector[place] = 1;
  return vector;
}

function scanWith(
  meaning: Embedder | undefined,
  options: StageConfig['options'] = {},
  onBackendError: (error: unknown) => void = rethrow,
) {
  const stages = [{ name: 'toxicity_scanner', options, timeoutMs: 600_000 } as const];
  const pipeline = createPipeline({ stages }, { meaning, onBackendError });
  return (input: ScanInput) => pipeline.scan(input);
}

/** A direction of the encoder in which the shipped net takes an insult for harmless, or for harmful. */
function findVector(wanted: 'lower' | 'higher'): Promise<Float32Array> {
  const scores = Array.from({ length: 24 }, async (_, place) => {
    const vector = unit(place * 16);
    const { scores } = await scanWith(createEncoder(vector).encoder)({ response: HARMFUL });
    return { vector, score: scores.toxicity ?? 0 };
  });
  return Promise.all(scores).then((all) => {
    const sorted = all.sort((a, b) => a.score - b.score);
    return (wanted === 'lower' ? sorted[0] : sorted.at(-1))?.vector as Float32Array;
  });
}

describe('a stage with the tier meaning', () => {
  it('the tier meaning embeds only texts above the screen', async () => {
    const { encoder, asked } = createEncoder();
    const scan = scanWith(encoder);
    await scan({ response: ORDINARY, context: [HARMFUL, ORDINARY] });
    assert.deepEqual(asked, [HARMFUL]);
  });

  it('the tier meaning lowers and raises the score of a short text', async () => {
    const own = (await scanWith(undefined)({ response: HARMFUL })).scores.toxicity ?? 0;
    const lower = createEncoder(await findVector('lower')).encoder;
    const higher = createEncoder(await findVector('higher')).encoder;
    const low = await scanWith(lower, { minScore: 0 })({ response: HARMFUL });
    const high = await scanWith(higher, { minScore: 0 })({ response: HARMFUL });
    assert.ok((low.scores.toxicity ?? 1) < own);
    assert.ok((low.scores.toxicity ?? 1) < (high.scores.toxicity ?? 0));
    assert.equal(low.findings.length, 5);
  });

  it('the tier meaning never lowers the score of a text of over 512 characters', async () => {
    const lower = createEncoder(await findVector('lower')).encoder;
    const long = `${'The weather is fine today. '.repeat(40)}${HARMFUL}`;
    const own = await scanWith(undefined)({ response: long });
    const judged = await scanWith(lower)({ response: long });
    assert.ok((own.scores.toxicity ?? 0) > 0.6, JSON.stringify(own.scores));
    assert.ok((judged.scores.toxicity ?? 0) >= (own.scores.toxicity ?? 1));
    assert.deepEqual(judged.findings, own.findings);
  });

  it('the tier meaning embeds the worst place of a long text', async () => {
    const { encoder, asked } = createEncoder();
    const long = `${'The weather is fine today. '.repeat(40)}${HARMFUL}`;
    await scanWith(encoder)({ response: long });
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.includes('worthless idiot'));
    assert.ok((asked[0]?.length ?? 0) <= 512);
  });

  it('the tier meaning never lowers the score of a text with disguised letters', async () => {
    const lower = createEncoder(await findVector('lower')).encoder;
    const text = 'You are a st\u200bup\u200bid w0rthl3ss 1d10t and 3v3ryb0dy h4t3s you.';
    const own = await scanWith(undefined, { minScore: 0 })({ response: text });
    const judged = await scanWith(lower, { minScore: 0 })({ response: text });
    assert.ok((judged.scores.toxicity ?? 0) >= (own.scores.toxicity ?? 1));
  });

  it('the tier meaning reports enabled categories only', async () => {
    const { encoder } = createEncoder(await findVector('higher'));
    const options = {
      minScore: 0,
      categories: {
        hate_speech: false,
        harassment: false,
        self_harm: false,
        sexual_content: false,
      },
    };
    const { findings } = await scanWith(encoder, options)({ response: HARMFUL });
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['violence'],
    );
  });

  const failures: [string, Embedder['embed']][] = [
    ['fails', () => Promise.reject(new Error('out of order'))],
    ['returns a vector of another length', async () => [new Float32Array(3)]],
    ['returns no numbers', async () => [new Float32Array(VECTOR_SIZE).fill(Number.NaN)]],
  ];
  for (const [what, embed] of failures) {
    it(`the tier meaning keeps the score of the stage when the encoder ${what}`, async () => {
      const errors: unknown[] = [];
      const scan = scanWith({ embed }, {}, (error) => errors.push(error));
      const judged = await scan({ response: HARMFUL });
      const own = await scanWith(undefined)({ response: HARMFUL });
      assert.equal(errors.length, 1);
      assert.deepEqual([judged.findings, judged.scores], [own.findings, own.scores]);
    });
  }

  it('the pipeline refuses an encoder without the method embed', () => {
    const wrong = { dependency: {} } as unknown as Embedder;
    assert.throws(() => scanWith(wrong), /dependencies\.meaning.*embed/);
  });
});

describe('the weights of the tier meaning', () => {
  it('the weights of the tier meaning are read as they were written', () => {
    const model = loadMeaning('meaning-toxicity');
    assert.deepEqual(readMeaning(writeMeaning(model)), model);
  });

  it('the weights of the tier meaning are refused when they are cut or of another kind', () => {
    const bytes = writeMeaning(loadMeaning('meaning-toxicity'));
    assert.throws(() => readMeaning(bytes.subarray(0, bytes.length - 4)), /damaged/);
    assert.throws(() => readMeaning(bytes.subarray(1)), /not a file of the tier meaning/);
    assert.throws(() => readMeaning(bytes.subarray(0, 5)), /not a file of the tier meaning/);
  });
});

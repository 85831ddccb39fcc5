import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenAiEmbedder } from '../../src/backends/index.ts';
import type { Embedder, Judgment, PipelineDependencies } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';
import { hanging, refusing, sendJson, startModelServer } from './model-server.ts';
import { createEmbedder, createJudge } from './stand-ins.ts';

const KNOWLEDGE = [
  'The Kesselport ferry was founded in 1898 by two fishermen.',
  'Harbour pilots must renew their licence every five years.',
  'The lighthouse of Oderhaven is not open to visitors.',
  'The night boat leaves from the northern pier.',
];
const CLAIM = 'The night boat leaves from the southern pier.';
const PARAPHRASE = 'The ferry owes its existence to a pair of local fishers.';

function truth(dependencies: PipelineDependencies, options: Record<string, unknown> = {}) {
  const pipeline = createPipeline(
    {
      stages: [
        { name: 'truth_scan', options: { knowledge: KNOWLEDGE, ...options } },
        { name: 'output_truth_scanner', options: { knowledge: KNOWLEDGE, ...options } },
      ],
    },
    dependencies,
  );
  return (response: string, prompt?: string) =>
    pipeline.scan(prompt === undefined ? { response } : { response, prompt });
}

describe('the truth stages with a judge', () => {
  const cases: [Judgment, string[], number][] = [
    [{ verdict: 'supported', score: 0.9 }, ['supported'], 0.05],
    [{ verdict: 'contradicted', score: 0.9 }, ['contradicted'], 0.95],
    [{ verdict: 'unknown', score: 0.9 }, [], 0.05],
  ];
  for (const [judgment, types, score] of cases) {
    it(`the truth stages with a judge adopt its verdict ${judgment.verdict}`, async () => {
      const { judge, asked } = createJudge(judgment);
      const { findings, scores } = await truth({ judge }, { judge: { to: 1 } })(CLAIM);
      assert.deepEqual(asked, [{ claim: CLAIM.slice(0, -1), source: KNOWLEDGE[3] }]);
      assert.deepEqual(
        findings.map(({ type }) => type),
        types,
      );
      assert.ok(Math.abs((scores.truth ?? -1) - score) < 1e-9, String(scores.truth));
      for (const found of findings) assert.equal(found.nugget, 3);
    });
  }

  it('the truth stages with a judge report a claim that only the judge relates to an entry', async () => {
    const options = { judge: { from: 0 } };
    assert.deepEqual((await truth({}, options)(PARAPHRASE)).findings, []);
    const { judge } = createJudge({ verdict: 'supported', score: 0.8 });
    const { findings } = await truth({ judge }, options)(PARAPHRASE);
    assert.deepEqual(
      findings.map(({ type, nugget, score }) => [type, nugget, score]),
      [['supported', 0, 0.9]],
    );
  });

  it('the truth stages with a judge use their own scores when the judge fails', async () => {
    const { judge } = createJudge(new Error('no'));
    const own = await truth({})(CLAIM, CLAIM);
    const judged = await truth({ judge }, { judge: { to: 1 } })(CLAIM, CLAIM);
    assert.deepEqual(judged.findings, own.findings);
    assert.deepEqual(judged.scores, own.scores);
  });

  it('the truth stages with a judge ask one question for both of them', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    await truth({ judge }, { judge: { to: 1 } })(CLAIM, CLAIM);
    assert.equal(asked.length, 1);
  });
});

describe('the truth stages with an embedder', () => {
  it('the truth stages with an embedder find the entry that a claim in other words is about', async () => {
    assert.deepEqual((await truth({})(PARAPHRASE)).findings, []);
    const { embedder } = createEmbedder(/fisher/, /pilot/, /light/, /boat/);
    const { findings } = await truth({ embedder })(PARAPHRASE);
    assert.deepEqual(
      findings.map(({ type, nugget, score }) => [type, nugget, score]),
      [['supported', 0, 1]],
    );
  });

  it('the truth stages with an embedder apply the configured cosine thresholds', async () => {
    const half: Embedder = {
      embed: async (texts) =>
        texts.map((text) => Float32Array.from(text.includes('founded') ? [1, 0] : [0.8, 0.6])),
    };
    const scan = async (sameFrom: number) =>
      (await truth({ embedder: half }, { embeddings: { sameFrom } })(PARAPHRASE)).findings.map(
        ({ score }) => score.toFixed(2),
      );
    assert.deepEqual(await scan(0.79), ['0.71']);
    assert.deepEqual(await scan(0.6), ['0.85']);
    assert.deepEqual(await scan(0.95), []);
  });

  it('the truth stages with an embedder embed each text once', async () => {
    const { embedder, embedded } = createEmbedder(/fisher/, /boat/);
    const scan = truth({ embedder });
    await scan(PARAPHRASE, PARAPHRASE);
    await scan(`${PARAPHRASE} ${PARAPHRASE}`);
    assert.ok(embedded.includes(KNOWLEDGE[0] ?? ''));
    assert.equal(new Set(embedded).size, embedded.length);
  });

  it('the truth stages with an embedder embed neither claims with a certain entry nor claims beyond the limit', async () => {
    const { embedder, embedded } = createEmbedder(/fisher/);
    await truth({ embedder })(`${KNOWLEDGE[0]} ${CLAIM}`);
    await truth({ embedder }, { embeddings: { maxClaims: 0 } })(PARAPHRASE);
    assert.deepEqual(embedded, []);
  });

  const failures: [string, Embedder['embed']][] = [
    ['that fails', () => Promise.reject(new Error('no'))],
    ['that gives too few vectors', async () => []],
    ['that gives no numbers', async (texts) => texts.map(() => Float32Array.of(Number.NaN))],
    ['that gives two lengths', async (texts) => texts.map((_, at) => new Float32Array(at + 1))],
  ];
  for (const [what, embed] of failures) {
    it(`the truth stages with an embedder use their own scores with an embedder ${what}, and report the error`, async () => {
      const errors: unknown[] = [];
      const onBackendError = (error: unknown) => errors.push(error);
      const own = await truth({})(PARAPHRASE);
      const result = await truth({ embedder: { embed }, onBackendError })(PARAPHRASE);
      assert.deepEqual(result.findings, own.findings);
      assert.deepEqual(result.scores, own.scores);
      assert.equal(errors.length, 1);
    });
  }

  it('the truth stages with an embedder ask the judge about the entry that the embedder chose', async () => {
    const { embedder } = createEmbedder(/fisher/, /pilot/);
    const { judge, asked } = createJudge({ verdict: 'contradicted', score: 1 });
    const { scores } = await truth({ embedder, judge }, { judge: { from: 0 } })(PARAPHRASE);
    assert.equal(asked[0]?.source, KNOWLEDGE[0]);
    assert.equal(scores.truth, 1);
  });

  it('the truth stages with an embedder work over HTTP end to end, and without it while the server fails', async (test) => {
    const own = await truth({})(PARAPHRASE);
    const server = await startModelServer(
      test,
      refusing(500),
      (response, { body }) => {
        const embedding = [1, 0];
        const data = (body.input as string[]).map((_, index) => ({ index, embedding }));
        sendJson(response, { data });
      },
      hanging,
    );
    const embedder = createOpenAiEmbedder({
      baseUrl: server.baseUrl,
      model: 'vectors',
      maxRetries: 0,
    });
    const scan = truth({ embedder });
    assert.deepEqual((await scan(PARAPHRASE)).findings, own.findings);
    assert.equal((await scan(PARAPHRASE)).findings[0]?.nugget, 0);
    assert.equal(server.calls.length, 2);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenAiJudge } from '../../src/backends/index.ts';
import type { Judge, Judgment, PipelineDependencies, StageFactory } from '../../src/index.ts';
import { createPipeline, ScanCanceledError } from '../../src/index.ts';
import { deciding, startModelServer } from './model-server.ts';
import { createJudge } from './stand-ins.ts';

const SOURCE =
  'The Kesselport ferry was founded in 1898 by two fishermen. It carries forty cars and stops at Oderhaven. In winter it rests. The captain is Anna Brandt.';
/** By its own score: surely unfounded, unsure, unsure, surely founded. */
const FALSE = 'The ferry was founded in 1923.';
const UNSURE = 'It carries forty buses.';
const LESS_SURE = 'The boat sinks every spring.';
const TRUE = 'The Kesselport ferry was founded in 1898 by two fishermen.';

function detector(dependencies: PipelineDependencies, options: Record<string, unknown> = {}) {
  const pipeline = createPipeline(
    { stages: [{ name: 'hallucination_detector', options }] },
    dependencies,
  );
  return (response: string, more: Record<string, unknown> = {}) =>
    pipeline.scan({ response, context: [SOURCE], ...more });
}

describe('hallucination_detector with a judge', () => {
  it('hallucination_detector with a judge adopts its verdict on claims that the stage is unsure of', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 0.9 });
    const { scores, findings, stages } = await detector({ judge })(UNSURE);
    assert.ok(Math.abs((scores.hallucination ?? 1) - 0.05) < 1e-9);
    assert.deepEqual(findings, []);
    assert.equal(stages[0]?.status, 'ok');
    assert.deepEqual(asked, [{ claim: UNSURE.slice(0, -1), source: SOURCE }]);
  });

  const convicted: [Judgment['verdict'], string][] = [
    ['unknown', 'unsupported'],
    ['contradicted', 'number'],
  ];
  for (const [verdict, type] of convicted) {
    it(`hallucination_detector with a judge reports a claim that is ${verdict} by the judge`, async () => {
      const { judge } = createJudge({ verdict, score: 0.8 });
      const response = 'The ferry carries two cars at a time.';
      const { scores, findings } = await detector({ judge })(response);
      assert.ok(Math.abs((scores.hallucination ?? 0) - 0.9) < 1e-9);
      const found = findings.map(({ type, start, end, score }) => [type, start, end, score]);
      assert.deepEqual(found, [[type, 0, response.length - 1, 0.9]]);
    });
  }

  it('hallucination_detector with a judge does not send claims that the stage is sure of', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    const own = await detector({})(`${TRUE} ${FALSE}`);
    assert.deepEqual(
      { ...(await detector({ judge })(`${TRUE} ${FALSE}`)), durationMs: 0, stages: [] },
      { ...own, durationMs: 0, stages: [] },
    );
    assert.deepEqual(asked, []);
  });

  it('hallucination_detector with a judge keeps its own certain results, whatever the judge says about others', async () => {
    const { judge } = createJudge({ verdict: 'supported', score: 1 });
    const own = await detector({})(FALSE);
    const { scores, findings } = await detector({ judge })(`${FALSE} ${UNSURE}`);
    assert.equal(scores.hallucination, own.scores.hallucination);
    assert.deepEqual(
      findings.map(({ start }) => start),
      [0],
    );
  });

  it('hallucination_detector with a judge sends the question and the text before the claim', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    const prompt = 'How many buses does it carry?';
    await detector({ judge })(`${TRUE} ${UNSURE}`, { prompt });
    assert.deepEqual(asked, [
      { claim: UNSURE.slice(0, -1), source: SOURCE, question: prompt, preceding: TRUE },
    ]);
  });

  it('hallucination_detector with a judge sends the worst uncertain claims, up to the limit', async () => {
    for (const response of [`${LESS_SURE} ${UNSURE}`, `${UNSURE} ${LESS_SURE}`]) {
      const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
      const scan = detector({ judge }, { judge: { maxClaims: 1 } });
      const { scores, findings } = await scan(response);
      assert.deepEqual(
        asked.map(({ claim }) => claim),
        [UNSURE.slice(0, -1)],
      );
      assert.equal(findings.length, 1);
      assert.equal(findings[0]?.start, response.indexOf(LESS_SURE));
      assert.equal(scores.hallucination, findings[0]?.score);
    }
  });

  it('hallucination_detector with a judge sends nothing when maxClaims is 0 or no claim is in the score range', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    await detector({ judge }, { judge: { maxClaims: 0 } })(UNSURE);
    await detector({ judge }, { judge: { from: 0.94 } })(UNSURE);
    assert.deepEqual(asked, []);
  });

  it('hallucination_detector with a judge limits the number of concurrent questions', async () => {
    let running = 0;
    let most = 0;
    const judge: Judge = {
      async judge() {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return { verdict: 'supported', score: 1 };
      },
    };
    const response = Array.from({ length: 7 }, (_, at) => `${UNSURE} So said ${at} men.`).join(' ');
    await detector({ judge }, { judge: { parallel: 3, from: 0, to: 1, maxClaims: 7 } })(response);
    assert.equal(most, 3);
  });

  const failures: [string, Judge['judge']][] = [
    ['that fails', () => Promise.reject(new Error('no'))],
    [
      'that throws',
      () => {
        throw new Error('no');
      },
    ],
    ['that gives no verdict', async () => ({ verdict: 'yes', score: 1 }) as unknown as Judgment],
    ['that is surer than sure', async () => ({ verdict: 'supported', score: 2 })],
    ['that gives nothing', async () => undefined as unknown as Judgment],
  ];
  for (const [what, judge] of failures) {
    it(`hallucination_detector with a judge uses its own score with a judge ${what}, and reports the error`, async () => {
      const errors: unknown[] = [];
      const onBackendError = (error: unknown) => errors.push(error);
      const own = await detector({})(UNSURE);
      const judged = await detector({ judge: { judge }, onBackendError })(UNSURE);
      assert.deepEqual(judged.findings, own.findings);
      assert.deepEqual(judged.scores, own.scores);
      assert.equal(judged.stages[0]?.status, 'ok');
      assert.equal(errors.length, 1);
    });
  }

  it('hallucination_detector with a judge uses its own score when the judge does not answer in the time of the stage', async () => {
    const own = await detector({})(UNSURE);
    const waits: number[] = [];
    const errors: { failure?: string }[] = [];
    const onBackendError = (error: unknown) => errors.push(error as { failure?: string });
    const judge: Judge = { judge: () => new Promise(() => {}) };
    const startTimer = (run: () => void, delayMs: number) => {
      waits.push(delayMs);
      if (delayMs < 9_000) queueMicrotask(run);
      return () => {};
    };
    const judged = await detector({ judge, startTimer, now: () => 0, onBackendError })(UNSURE);
    assert.deepEqual(judged.findings, own.findings);
    assert.deepEqual(judged.scores, own.scores);
    assert.equal(judged.stages[0]?.status, 'ok');
    assert.deepEqual(waits.sort(), [10_000, 8_000]);
    assert.deepEqual(
      errors.map(({ failure }) => failure),
      ['timeout'],
    );
  });

  it('hallucination_detector with a judge cancels its question when its caller cancels the scan', async () => {
    const controller = new AbortController();
    let told = false;
    const judge: Judge = {
      judge: (_, signal) => {
        signal.addEventListener('abort', () => {
          told = true;
        });
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    };
    const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] }, { judge });
    const scan = pipeline.scan(
      { response: UNSURE, context: [SOURCE] },
      { signal: controller.signal },
    );
    await assert.rejects(scan, ScanCanceledError);
    assert.ok(told);
  });

  it('hallucination_detector with a judge sends the same question once', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    const scan = detector({ judge });
    await scan(UNSURE);
    await scan(UNSURE);
    assert.equal(asked.length, 1);
  });

  it('hallucination_detector with a judge shows the judge the passages of a long source that the claim is about', async () => {
    const { judge, asked } = createJudge({ verdict: 'supported', score: 1 });
    const filler = Array.from({ length: 3_000 }, (_, at) => `Bread number ${at} was baked.`).join(
      ' ',
    );
    const context = [filler, `${filler} ${SOURCE} ${filler}`];
    const { stages } = await detector({ judge }, { judge: { from: 0, to: 1 } })(LESS_SURE, {
      context,
    });
    assert.equal(stages[0]?.status, 'ok');
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.source.includes('Anna Brandt'));
    assert.ok((asked[0]?.source.length ?? 0) < 12_000);
  });

  it('hallucination_detector refuses invalid limits, with and without a judge', () => {
    const { judge } = createJudge({ verdict: 'supported', score: 1 });
    const wrong: [Record<string, unknown>, string][] = [
      [{ from: 2 }, 'from'],
      [{ from: 0.5, to: 0.4 }, 'to'],
      [{ maxClaims: -1 }, 'maxClaims'],
      [{ parallel: 0 }, 'parallel'],
      [{ apiKey: 'x' }, 'apiKey'],
    ];
    for (const [limits, name] of wrong) {
      const option = `stages.hallucination_detector.options.judge.${name}`;
      assert.throws(() => detector({ judge }, { judge: limits }), { option });
      assert.throws(() => detector({}, { judge: limits }), { option });
    }
  });

  it('hallucination_detector with a judge is also available to a custom stage', async () => {
    const { judge, asked } = createJudge({ verdict: 'unknown', score: 0.5 });
    const factory: StageFactory = (_, __, dependencies) => ({
      name: 'toxicity_scanner',
      targets: ['response'],
      async run({ fields: [field], remainingMs, setScore, signal }) {
        const question = { claim: field?.text ?? '', source: String(remainingMs) };
        setScore((await dependencies?.judge?.judge(question, signal))?.score ?? 0);
      },
    });
    const config = { stages: [{ name: 'toxicity_scanner', timeoutMs: 70 }] } as const;
    const stages = { toxicity_scanner: factory };
    const { scores } = await createPipeline(config, { judge, stages, now: () => 0 }).scan({
      response: 'Hm.',
    });
    assert.equal(scores.toxicity, 0.5);
    assert.deepEqual(asked, [{ claim: 'Hm.', source: '70' }]);
  });

  it('hallucination_detector with a judge works over HTTP from end to end', async (test) => {
    const { baseUrl } = await startModelServer(test, deciding('supported', 1));
    const judge = createOpenAiJudge({ baseUrl, model: 'small' });
    assert.equal((await detector({ judge })(UNSURE)).scores.hallucination, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  Classifier,
  ClassScore,
  PipelineDependencies,
  ScanInput,
  StageConfig,
} from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';

const QUIET = 'Good morning. The kettle is on, and breakfast is at eight.';
const CODE = "1' OR '1'='1' --";

/** Says what a table of words says; notes what it was shown. */
function createClassifier(table: Readonly<Record<string, readonly ClassScore[]>>) {
  const shown: string[] = [];
  const classifier: Classifier = {
    async classify(texts) {
      shown.push(...texts);
      return texts.map((text) =>
        Object.entries(table).flatMap(([word, scores]) => (text.includes(word) ? scores : [])),
      );
    },
  };
  return { classifier, shown };
}

function scanWith(
  name: 'injection_scanner' | 'toxicity_scanner',
  classifier: Classifier,
  options: StageConfig['options'] = {},
  more: PipelineDependencies = {},
) {
  const pipeline = createPipeline(
    { stages: [{ name, options }] },
    { classifiers: { [name]: classifier }, ...more },
  );
  return (input: ScanInput) => pipeline.scan(input);
}

const prompt = (score: number): ClassScore[] => [{ type: 'prompt_injection', score }];

describe('a stage with a classifier', () => {
  it('a stage with a classifier reports the findings of the classifier at their places', async () => {
    const { classifier } = createClassifier({ kettle: prompt(0.9) });
    const scan = scanWith('injection_scanner', classifier);
    const { findings, scores } = await scan({ response: 'Yes.', context: ['No.', QUIET] });
    assert.deepEqual(
      findings.map(({ type, score, field, contextIndex, start, end }) => ({
        type,
        score,
        place: [field, contextIndex, start, end],
      })),
      [{ type: 'prompt_injection', score: 0.9, place: ['context', 1, 0, QUIET.length] }],
    );
    assert.equal(scores.injection, 0.9);
    assert.ok(!QUIET.includes(findings[0]?.reason ?? QUIET));
  });

  const scales: [string, 'injection_scanner' | 'toxicity_scanner', string, number, number][] = [
    ['one half is 0.5 for injection', 'injection_scanner', 'prompt_injection', 0.5, 0.5],
    ['one half is 0.7 for toxicity', 'toxicity_scanner', 'harassment', 0.5, 0.7],
    ['three quarters are 0.85 for toxicity', 'toxicity_scanner', 'harassment', 0.75, 0.85],
  ];
  for (const [what, name, type, said, score] of scales) {
    it(`a stage with a classifier keeps to the scale of the stage: ${what}`, async () => {
      const { classifier } = createClassifier({ kettle: [{ type, score: said }] });
      const { findings } = await scanWith(name, classifier)({ response: QUIET });
      assert.deepEqual(
        findings.map((found) => [found.type, found.score.toFixed(6)]),
        [[type, score.toFixed(6)]],
      );
    });
  }

  it('a stage with a classifier raises the score without a finding where the classifier is unsure', async () => {
    const { classifier } = createClassifier({ kettle: prompt(0.45) });
    const { findings, scores } = await scanWith(
      'injection_scanner',
      classifier,
    )({
      response: QUIET,
    });
    assert.deepEqual([findings, scores.injection], [[], 0.45]);
  });

  it('a stage with a classifier lowers no score of the stage and reports no finding twice', async () => {
    const input = { response: CODE };
    const own = await createPipeline({ stages: [{ name: 'injection_scanner' }] }).scan(input);
    assert.ok((own.scores.injection ?? 0) >= 0.5);
    for (const score of [0, 0.5]) {
      const { classifier } = createClassifier({ OR: [{ type: 'sql_injection', score }] });
      const result = await scanWith('injection_scanner', classifier)(input);
      assert.deepEqual([result.findings, result.scores], [own.findings, own.scores]);
    }
  });

  it('a stage with a classifier leaves out the types that are switched off', async () => {
    const { classifier } = createClassifier({
      kettle: [...prompt(0.9), { type: 'sql_injection', score: 0.8 }],
    });
    const options = { types: { prompt_injection: false } };
    const { findings, scores } = await scanWith(
      'injection_scanner',
      classifier,
      options,
    )({
      response: QUIET,
    });
    assert.deepEqual(
      [findings.map(({ type }) => type), scores.injection],
      [['sql_injection'], 0.8],
    );
  });

  it('a stage with a classifier sends windows with findings first, up to the limit', async () => {
    const { classifier, shown } = createClassifier({});
    const long = `${'The kettle is on, and breakfast is at eight. '.repeat(200)}${CODE}`;
    const options = { classifier: { maxWindows: 2, windowLength: 800 } };
    await scanWith('injection_scanner', classifier, options)({ response: long });
    assert.equal(shown.length, 2);
    assert.ok(shown[0]?.includes(CODE));
    assert.ok(long.startsWith(shown[1] ?? '?'));
    for (const text of shown) assert.ok(text.length <= 800);
  });

  it('a stage with a classifier sends each window once', async () => {
    const { classifier, shown } = createClassifier({ kettle: prompt(0.9) });
    const scan = scanWith('injection_scanner', classifier);
    const first = await scan({ prompt: QUIET, response: QUIET });
    const second = await scan({ prompt: QUIET, response: QUIET });
    assert.deepEqual(shown, [QUIET]);
    assert.deepEqual(second.findings, first.findings);
    assert.equal(first.findings.length, 2);
  });

  const failures: [string, Classifier['classify']][] = [
    ['fails', () => Promise.reject(new Error('no'))],
    ['gives too few', async () => []],
    ['gives an unknown type', async () => [[{ type: 'kettle', score: 1 }]]],
    ['gives a score above 1', async () => [prompt(1.5)]],
    ['gives no lists', async () => ['prompt_injection'] as never],
  ];
  for (const [what, classify] of failures) {
    it(`a stage with a classifier keeps its result and reports the error when the classifier ${what}`, async () => {
      const errors: unknown[] = [];
      const onBackendError = (error: unknown) => errors.push(error);
      const result = await scanWith(
        'injection_scanner',
        { classify },
        {},
        { onBackendError },
      )({
        response: CODE,
      });
      const own = await createPipeline({ stages: [{ name: 'injection_scanner' }] }).scan({
        response: CODE,
      });
      assert.deepEqual([result.findings, result.scores], [own.findings, own.scores]);
      assert.deepEqual(result.stages[0]?.status, 'ok');
      assert.equal(errors.length, 1);
    });
  }

  it('a stage with a classifier does not wait longer than its time for a classifier that hangs', async () => {
    const timers: { run: () => void; delayMs: number }[] = [];
    const startTimer = (run: () => void, delayMs: number) => {
      timers.push({ run, delayMs });
      return () => {};
    };
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const classifier: Classifier = {
      classify() {
        asked();
        return new Promise(() => {});
      },
    };
    const errors: unknown[] = [];
    const onBackendError = (error: unknown) => errors.push(error);
    const surroundings = { startTimer, onBackendError, now: () => 0 };
    const scanning = scanWith(
      'injection_scanner',
      classifier,
      {},
      surroundings,
    )({ response: CODE });
    await isAsked;
    const wait = timers.find(({ delayMs }) => delayMs === 8_000);
    wait?.run();
    const { findings, stages } = await scanning;
    assert.deepEqual([findings.length > 0, stages[0]?.status], [true, 'ok']);
    assert.equal(errors.length, 1);
  });

  it('a stage with a classifier ends with the scan', async () => {
    const controller = new AbortController();
    const classifier: Classifier = {
      classify(_texts, signal) {
        controller.abort(new Error('gone'));
        assert.ok(signal.aborted);
        return new Promise(() => {});
      },
    };
    const pipeline = createPipeline(
      { stages: [{ name: 'injection_scanner' }] },
      { classifiers: { injection_scanner: classifier } },
    );
    const scanning = pipeline.scan({ response: QUIET }, { signal: controller.signal });
    await assert.rejects(scanning, { name: 'ScanCanceledError' });
  });

  const wrong: [string, unknown][] = [
    ['classifier', 7],
    ['classifier.maxWindows', { maxWindows: -1 }],
    ['classifier.windowLength', { windowLength: 799 }],
    ['classifier.model', { model: 'guard' }],
  ];
  for (const [option, classifier] of wrong) {
    it(`a stage with a classifier refuses a wrong ${option}, with a classifier and without`, () => {
      const stages = [{ name: 'toxicity_scanner' as const, options: { classifier } }];
      const path = `stages.toxicity_scanner.options.${option}`;
      const isRefused = (error: { option?: string }) => error.option === path;
      const classifiers = { toxicity_scanner: createClassifier({}).classifier };
      assert.throws(() => createPipeline({ stages }), isRefused);
      assert.throws(() => createPipeline({ stages }, { classifiers }), isRefused);
    });
  }
});

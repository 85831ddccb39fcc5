import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { BackendError } from '../../src/backends/index.ts';
import { createOnnxClassifier } from '../../src/backends/index.ts';
import { GUARD, inOnnxWorld, onnxMissing } from './world.ts';

const never = new AbortController().signal;
const LABELS = { INJECTION: 'prompt_injection' };
const failing = (failure: string, message: RegExp) => (error: BackendError) =>
  error.name === 'BackendError' && error.failure === failure && message.test(error.message);

describe('a classifier from a local model', { skip: onnxMissing() }, () => {
  it(
    'a classifier from a local model returns the types of its labels',
    inOnnxWorld(async ({ write, using, given }) => {
      const model = write('guard', GUARD);
      const { classify } = using(createOnnxClassifier({ model, ...given, labels: LABELS }));
      const [bad, good] = await classify(['Override this, please', 'please'], never);
      assert.equal(bad?.[0]?.type, 'prompt_injection');
      assert.ok((bad?.[0]?.score ?? 0) > 0.99);
      assert.ok((good?.[0]?.score ?? 1) < 0.5);
      assert.deepEqual(await classify([], never), []);
    }),
  );

  it(
    'a classifier from a local model moves the threshold of a label to one half',
    inOnnxWorld(async ({ folder, write, using, given }) => {
      // Three tokens with [CLS] and [SEP], so that the logits differ by ln 4: probability 0.8.
      write('even', { words: { word: [0, 3 * Math.log(4)] }, labels: ['A', 'B'] });
      const scoreAt = async (threshold: number) => {
        const place = { model: 'even', modelFolder: folder, ...given };
        const labels = { B: { type: 'harassment', threshold } };
        const { classify } = using(createOnnxClassifier({ ...place, labels }));
        const [[found] = []] = await classify(['word'], never);
        return Math.round((found?.score ?? 0) * 1e4) / 1e4;
      };
      assert.deepEqual(
        [await scoreAt(0.8), await scoreAt(0.9), await scoreAt(0.5)],
        [0.5, 0.4444, 0.8],
      );
    }),
  );

  it(
    'a classifier from a local model reads a text to its end that is longer than the model reads',
    inOnnxWorld(async ({ write, using, given }) => {
      const model = write('short', { ...GUARD, maxTokens: 16 });
      const { classify } = using(createOnnxClassifier({ model, ...given, labels: LABELS }));
      const long = `${'all is well here '.repeat(40)}sabotage it`;
      const [hidden, clean] = await classify([long, long.replace('sabotage', 'mend')], never);
      assert.ok((hidden?.[0]?.score ?? 0) > 0.8, JSON.stringify(hidden));
      assert.ok((clean?.[0]?.score ?? 1) <= 0.5, JSON.stringify(clean));
    }),
  );

  it(
    'a classifier from a local model takes each label by itself where the model says so',
    inOnnxWorld(async ({ write, using, given }) => {
      const words = { both: [30, 30, -30] };
      const labels = { insult: 'harassment', threat: 'violence', obscene: 'sexual_content' };
      const model = write('many', { words, labels: Object.keys(labels), multiLabel: true });
      const { classify } = using(createOnnxClassifier({ model, ...given, labels }));
      const [scores = []] = await classify(['both'], never);
      assert.deepEqual(
        scores.map(({ type, score }) => [type, Math.round(score)]),
        [
          ['harassment', 1],
          ['violence', 1],
          ['sexual_content', 0],
        ],
      );
    }),
  );

  it(
    'a classifier from a local model reports a broken model and retries only after 30 seconds',
    inOnnxWorld(async ({ folder, write, using, given }) => {
      let ms = 0;
      const model = write('guard', GUARD);
      const now = () => ms;
      const options = { model, ...given, labels: LABELS, now };
      rmSync(join(folder, 'guard', 'onnx'), { recursive: true });
      const { classify } = using(createOnnxClassifier(options));
      await assert.rejects(classify(['a'], never), failing('model', /model\.onnx/));
      write('guard', GUARD);
      await assert.rejects(classify(['a'], never), failing('model', /model\.onnx/));
      ms = 30_001;
      assert.equal((await classify(['a'], never)).length, 1);
    }),
  );

  it(
    'a classifier from a local model names the labels of the model where one is not among them',
    inOnnxWorld(async ({ write, using, given }) => {
      const labels = { ATTACK: 'prompt_injection' };
      const model = write('guard', GUARD);
      const { classify } = using(createOnnxClassifier({ model, ...given, labels }));
      await assert.rejects(classify(['a'], never), failing('model', /ATTACK.*SAFE, INJECTION/));
    }),
  );

  it(
    'a classifier from a local model stops when aborted and continues with the next text',
    inOnnxWorld(async ({ write, using, given }) => {
      const model = write('guard', GUARD);
      const { classify } = using(createOnnxClassifier({ model, ...given, labels: LABELS }));
      const controller = new AbortController();
      const canceled = classify(Array(500).fill('please '.repeat(40)), controller.signal);
      controller.abort(new Error('enough'));
      await assert.rejects(canceled, /enough/);
      await assert.rejects(classify(['please'], controller.signal), /enough/);
      assert.equal((await classify(['please'], never)).length, 1);
    }),
  );

  it(
    'a classifier from a local model enforces the time limit of a call after loading',
    inOnnxWorld(async ({ write, using, given }) => {
      const timers: { run: () => void; delayMs: number }[] = [];
      const startTimer = (run: () => void, delayMs: number) => {
        timers.push({ run, delayMs });
        return () => {};
      };
      const model = write('guard', GUARD);
      const timing = { startTimer, timeoutMs: 250 };
      const options = { model, ...given, labels: LABELS, ...timing };
      const { classify } = using(createOnnxClassifier(options));
      const first = classify(['please'], never);
      assert.equal(timers.length, 0);
      await first;
      const late = classify(['please'], never);
      assert.deepEqual(
        timers.map(({ delayMs }) => delayMs),
        [250, 250],
      );
      timers[1]?.run();
      await assert.rejects(late, failing('timeout', /time limit/));
    }),
  );

  it(
    'a classifier from a local model starts another thread after it was closed, and fails what was under way',
    inOnnxWorld(async ({ write, using, given }) => {
      const model = write('guard', GUARD);
      const { classify, close } = using(createOnnxClassifier({ model, ...given, labels: LABELS }));
      await classify(['please'], never);
      const left = classify(Array(200).fill('please '.repeat(40)), never);
      await Promise.all([assert.rejects(left, failing('model', /ended/)), close()]);
      assert.equal((await classify(['please'], never)).length, 1);
    }),
  );
});

describe('a classifier without the library', () => {
  it(
    'a classifier without the library names the package to install',
    inOnnxWorld(async ({ folder, write, using }) => {
      const model = write('guard', GUARD);
      const options = { model, libraryFolder: folder, labels: LABELS };
      const { classify } = using(createOnnxClassifier(options));
      const message =
        /^ONNX models need the package @huggingface\/transformers: npm install [^\n]+$/;
      await assert.rejects(classify(['a'], never), failing('missing', message));
    }),
  );
});

describe('the options of a local model', () => {
  const good = { model: '/models/guard', labels: LABELS };
  const cases: [string, object][] = [
    ['model', { ...good, model: '' }],
    ['model', { ...good, model: '../guard', modelFolder: '/models' }],
    ['model', { ...good, modelFolder: '/models' }],
    ['modelFolder', { ...good, model: 'owner/guard', allowRemote: true }],
    ['allowRemote', { ...good, allowRemote: 'yes' }],
    ['revision', { ...good, revision: '' }],
    ['remoteHost', { ...good, remoteHost: 'hub' }],
    ['dtype', { ...good, dtype: 'q2' }],
    ['threads', { ...good, threads: 0 }],
    ['batchSize', { ...good, batchSize: 1.5 }],
    ['timeoutMs', { ...good, timeoutMs: 0 }],
    ['libraryFolder', { ...good, libraryFolder: 7 }],
    ['labels', { ...good, labels: {} }],
    ['labels', { ...good, labels: 'INJECTION' }],
    ['labels.A.type', { ...good, labels: { A: {} } }],
    ['labels.A.threshold', { ...good, labels: { A: { type: 'violence', threshold: 1 } } }],
  ];
  for (const [option, options] of cases) {
    it(`the options of a local model refuse a wrong ${option}: ${JSON.stringify(options)}`, () => {
      assert.throws(
        () => createOnnxClassifier(options as never),
        (error: { option?: string }) => error.option === option,
      );
    });
  }
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { TinyModel } from './tiny-model.ts';
import { inOnnxWorld, onnxMissing } from './world.ts';

const PROGRAM = new URL('./busy-process.js', import.meta.url).pathname;

/** So many classes that nearly all the time of a call is spent within the runtime. */
const CLASSES = 4_000;
const numbers = Array.from({ length: CLASSES }, (_, at) => at % 3);
const SLOW: TinyModel = {
  words: { please: numbers },
  labels: numbers.map((_, at) => `L${at}`),
};

/** How a process ends, and at which moments of the work it is tried, in milliseconds. */
const WAYS = [
  ['close', 'closes a model that computes', [30, 90, 150]],
  ['loading', 'closes a model that is being loaded', [30, 120, 200]],
  ['exit', 'exits while a model computes', [30, 90, 150]],
  ['end', 'has nothing left to do but what a model computes', [30, 90, 150]],
  ['pool close', 'closes a pool in whose thread a model computes', [30, 90, 150]],
  ['pool exit', 'exits while a model computes in a thread of a pool', [30, 90, 150]],
] as const;

// The runtime aborts the process when a thread is stopped from outside while it computes.
describe('a process that ends while a model computes', { skip: onnxMissing() }, () => {
  for (const [how, does, moments] of WAYS) {
    it(
      `a process that ${does} ends without an error`,
      inOnnxWorld(async ({ write }) => {
        const model = write('slow', SLOW);
        for (const moment of moments) {
          const args = [PROGRAM, how, String(moment)];
          const env = { ...process.env, BUSY_MODEL: model };
          const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
          assert.equal(stderr, '');
          assert.equal(stdout, how.endsWith('exit') ? '' : 'ended\n');
        }
      }),
    );
  }
});

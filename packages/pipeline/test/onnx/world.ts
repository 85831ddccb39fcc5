import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closable } from '../../src/backends/index.ts';
import type { TinyModel } from './tiny-model.ts';
import { writeTinyModel } from './tiny-model.ts';

/** The folder in whose `node_modules` the tests find transformers.js; the test runner fetches it. */
const LIBRARY_FOLDER = process.env.TEST_TRANSFORMERS_FOLDER;

/** Why tests that run a model cannot run here, for the `skip` option of a test. */
export function onnxMissing(): string | false {
  if (LIBRARY_FOLDER) return false;
  return 'no TEST_TRANSFORMERS_FOLDER, which scripts/test.mjs sets once npm has fetched transformers.js';
}

/** No test may fail because the machine is busy. */
const PATIENCE_MS = 600_000;

/** A stage with all the time it may want. */
export const patient = { timeoutMs: PATIENCE_MS };

/** A folder of models for one test. */
export interface OnnxWorld {
  readonly folder: string;
  /** Options of every model: where the library is, and time. */
  readonly given: { readonly libraryFolder: string; readonly timeoutMs: number };
  /** Writes a model and gives its folder. */
  write(name: string, model: TinyModel): string;
  /** Closes what holds a thread at the end of the test. */
  using<Held extends Closable>(held: Held): Held;
}

/** Runs a test with a folder of its own; its threads end with it. */
export function inOnnxWorld(run: (world: OnnxWorld) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probity-onnx-'));
    const held: Closable[] = [];
    try {
      await run({
        folder,
        given: { libraryFolder: LIBRARY_FOLDER ?? '', timeoutMs: PATIENCE_MS },
        write: (name, model) => writeTinyModel(join(folder, name), model),
        using(each) {
          held.push(each);
          return each;
        },
      });
    } finally {
      await Promise.all(held.map((each) => each.close()));
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Sorts by two words. */
export const GUARD: TinyModel = {
  words: { override: [0, 40], sabotage: [0, 30], please: [2, 0] },
  labels: ['SAFE', 'INJECTION'],
};

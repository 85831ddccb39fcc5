import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinearModel } from './model-file.ts';
import { readModel } from './model-file.ts';

/**
 * Reads one of the models that come with this package, at the first text to judge: most of a
 * program's scans use the same stage, so its factory keeps what this returns.
 *
 * @throws ModelFileError for a damaged file; an Error of the file system for a missing one
 */
export function loadModel(name: 'injection' | 'toxicity'): LinearModel {
  return readModel(readModelBytes(name));
}

/**
 * The bytes of a file of models/, without its ending.
 *
 * @throws an Error of the file system for a missing file
 */
export function readModelBytes(name: string): Uint8Array {
  return readFileSync(join(import.meta.dirname, '..', '..', '..', 'models', `${name}.bin`));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LinearModel, readModel } from './model-file.ts';

/**
 * Reads one of the models that come with this package, at the first text to judge: most of a
 * program's scans use the same stage, so its factory keeps what this returns.
 *
 * @throws ModelFileError for a damaged file; an Error of the file system for a missing one
 */
export function loadModel(name: 'injection' | 'toxicity'): LinearModel {
  const models = join(import.meta.dirname, '..', '..', '..', 'models');
  return readModel(readFileSync(join(models, `${name}.bin`)));
}

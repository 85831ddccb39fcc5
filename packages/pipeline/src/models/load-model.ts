import { readModelBytes } from './model-bytes.ts';
import type { LinearModel } from './model-file.ts';
import { readModel } from './model-file.ts';

/**
 * Reads one of the models that come with this package, at the first text to judge: most of a
 * program's scans use the same stage, so its factory keeps what this returns.
 *
 * @throws WeightsError for a file that is missing, damaged or of another release
 */
export function loadModel(name: 'injection' | 'toxicity'): LinearModel {
  return readModel(readModelBytes(name));
}

import { readModelBytes } from '../models/model-bytes.ts';
import type { MeaningModel } from './meaning-model.ts';
import { readMeaning } from './meaning-model.ts';

/** The weights of the tier, a file for each stage that it helps. */
export type MeaningWeights = 'meaning-toxicity';

/**
 * Reads the weights of a stage.
 *
 * @throws WeightsError for a file that is missing, damaged or of another release
 */
export function loadMeaning(name: MeaningWeights): MeaningModel {
  return readMeaning(readModelBytes(name));
}

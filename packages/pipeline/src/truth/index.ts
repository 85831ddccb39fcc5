export type { StageSettings, StageValue } from '../config.ts';
export type { Nugget } from './knowledge-index.ts';
export type { TruthType } from './scored-claim.ts';
export { promptTruth, type TruthOptions, truth } from './truth-stage.ts';

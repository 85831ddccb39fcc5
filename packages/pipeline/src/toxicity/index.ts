export type { StageSettings, StageValue } from '../config.ts';
export { TOXICITY_CATEGORIES, type ToxicityCategory } from './category-odds.ts';
export { type ToxicityOptions, toxicity } from './toxicity-stage.ts';

export type { StageSettings, StageValue } from '../config.ts';
export type { HallucinationType } from './error-type.ts';
export { type HallucinationOptions, hallucination } from './hallucination-stage.ts';

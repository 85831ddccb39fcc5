export type { StageSettings, StageValue } from '../config.ts';
export { combinedPiiRisk, PII_RISK } from '../risk.ts';
export type { CustomPattern } from './custom-patterns.ts';
export { type PiiOptions, pii } from './pii-stage.ts';
export type { PiiType } from './pii-types.ts';

export type { StageSettings, StageValue } from '../config.ts';
export { combinedPiiRisk, PII_RISK, type PiiType } from '../risk.ts';
export { type PiiOptions, pii } from './pii-stage.ts';

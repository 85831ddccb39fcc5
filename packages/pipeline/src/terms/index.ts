export type { StageSettings, StageValue } from '../config.ts';
export { compileLinearPattern, type PatternSource } from '../patterns/linear-pattern.ts';
export type { CustomPattern } from '../pii/custom-patterns.ts';
export {
  createPatternDetector,
  type PatternDetector,
  type PatternMatch,
} from '../pii/pattern-detector.ts';
export { DENIED_TERM, type TermList } from './term-lists.ts';
export { type TermsOptions, terms } from './terms-stage.ts';

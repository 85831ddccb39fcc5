export type { StageSettings, StageValue } from '../config.ts';
export { type InjectionOptions, injection } from './injection-stage.ts';
export type { InjectionType } from './injection-types.ts';

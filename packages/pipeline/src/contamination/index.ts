export type { StageSettings, StageValue } from '../config.ts';
export {
  type ContaminationOptions,
  type ContaminationType,
  contamination,
  prepareProtectedTexts,
} from './contamination-stage.ts';

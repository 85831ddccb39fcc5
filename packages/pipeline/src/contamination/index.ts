export type { StageSettings, StageValue } from '../config.ts';
export {
  type ContaminationOptions,
  type ContaminationType,
  contamination,
} from './contamination-stage.ts';

export type { BackendSettings, Environment, SettingsPlace } from './backend-settings.ts';
export { type Backends, createBackends } from './create-backends.ts';
export {
  createConfiguredPipeline,
  type PipelineSettings,
  parsePipelineSettings,
  readPipelineSettings,
} from './pipeline-settings.ts';
export { sampleErrors } from './sample-errors.ts';
export type { ModuleStageConfig, PipelineData } from './stage-modules.ts';

export { createMeaningEncoder, type MeaningEncoderOptions } from '../meaning/meaning-encoder.ts';
export {
  createOnnxClassifier,
  createOnnxEmbedder,
  createOnnxJudge,
  type OnnxClassifierOptions,
  type OnnxDtype,
  type OnnxEmbedderOptions,
  type OnnxJudgeOptions,
  type OnnxLabel,
  type OnnxModelOptions,
} from '../onnx/index.ts';
export { type BackendSettings, type Backends, createBackends } from '../settings/index.ts';
export { BackendError, type BackendFailure } from './backend-error.ts';
export type { HttpBackendOptions } from './http-client.ts';
export { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts';
export { createOpenAiJudge, type OpenAiJudgeOptions } from './openai-judge.ts';
export type {
  Classifier,
  Classifiers,
  ClassScore,
  Closable,
  Embedder,
  Judge,
  JudgeQuestion,
  JudgeVerdict,
  Judgment,
} from './types.ts';

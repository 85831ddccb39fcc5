export {
  createOnnxClassifier,
  type OnnxClassifierOptions,
  type OnnxLabel,
} from './onnx-classifier.ts';
export { createOnnxEmbedder, type OnnxEmbedderOptions } from './onnx-embedder.ts';
export { createOnnxJudge, type OnnxJudgeOptions } from './onnx-judge.ts';
export type { OnnxDtype, OnnxModelOptions } from './options.ts';

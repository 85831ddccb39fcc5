export { BackendError, type BackendFailure } from './backend-error.ts';
export type { HttpBackendOptions } from './http-client.ts';
export { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts';
export { createOpenAiJudge, type OpenAiJudgeOptions } from './openai-judge.ts';
export type { Embedder, Judge, Judgement, JudgeQuestion, JudgeVerdict } from './types.ts';

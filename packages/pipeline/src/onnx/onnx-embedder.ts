import type { Closable, Embedder } from '../backends/types.ts';
import { PipelineConfigError } from '../errors.ts';
import type { Pooling } from './messages.ts';
import { createModelThread } from './model-thread.ts';
import type { OnnxModelOptions } from './options.ts';
import { resolveModel } from './options.ts';

/** Options of {@link createOnnxEmbedder}. */
export interface OnnxEmbedderOptions extends OnnxModelOptions {
  /** How the model's authors make one vector of those of the words. Default `mean`. */
  readonly pooling?: Pooling | undefined;
  /** Put before each text, for models that were trained so (such as `query: `). */
  readonly prefix?: string | undefined;
}

const POOLINGS: readonly Pooling[] = ['mean', 'cls', 'last_token'];

/**
 * Makes an embedder from a local ONNX model (`feature-extraction` of transformers.js); vectors have
 * length 1. Of a text that is longer than the model reads the beginning counts.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOnnxEmbedder(options: OnnxEmbedderOptions): Embedder & Closable {
  const { pooling = 'mean', prefix = '' } = options;
  if (!POOLINGS.includes(pooling)) {
    throw new PipelineConfigError('pooling', `expected one of ${POOLINGS.join(', ')}`);
  }
  if (typeof prefix !== 'string') throw new PipelineConfigError('prefix', 'expected a string');
  const thread = createModelThread(options, {
    task: 'embed',
    model: resolveModel(options),
    pooling,
  });
  return Object.freeze({
    async embed(texts: readonly string[], signal: AbortSignal) {
      const inputs = texts.map((text) => ({ text: `${prefix}${text}` }));
      return (await thread.run(inputs, signal)).rows;
    },
    close: thread.close,
  });
}

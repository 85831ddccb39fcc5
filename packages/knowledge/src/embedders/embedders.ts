import type { Embedder } from '@probity/pipeline';
import type { OnnxEmbedderOptions, OpenAiEmbedderOptions } from '@probity/pipeline/backends';
import { createOnnxEmbedder, createOpenAiEmbedder } from '@probity/pipeline/backends';
import { createSentenceEmbedder } from '@probity/pipeline/claims';

/** An embedder, and what names the vectors that it makes. */
export interface NamedEmbedder {
  /** Two embedders of one name make the same vectors of the same texts. */
  readonly name: string;
  readonly embedder: Embedder;
  /** Gives back what the embedder holds. */
  close?(): Promise<void>;
}

/** Which embedder is made, with its options. */
export type EmbedderSettings =
  | { readonly kind: 'built-in' }
  | ({ readonly kind: 'openai' } & OpenAiEmbedderOptions)
  | ({ readonly kind: 'onnx' } & OnnxEmbedderOptions);

/** The version of the built-in embedder's vectors: a change of its words makes others. */
const BUILT_IN = 'built-in-1';

/** The embedder that needs no model: see `createSentenceEmbedder` of the pipeline. */
export function builtInEmbedder(): NamedEmbedder {
  return { name: BUILT_IN, embedder: createSentenceEmbedder() };
}

/**
 * Makes an embedder with a name made of all that its vectors depend on: the kind, the model, the length and, of a local
 * model, how a vector is made of those of the words. Of a server's model the address is not part of it.
 *
 * An answer of a server is refused whose vectors have another length than those before, and so is one whose vectors have
 * another length than those of the collection; the message has both.
 *
 * @throws PipelineConfigError naming the option at fault, never its value
 */
export function createEmbedder(settings: EmbedderSettings): NamedEmbedder {
  if (settings.kind === 'built-in') return builtInEmbedder();
  if (settings.kind === 'openai') {
    const { model, dimensions } = settings;
    const name = ['openai', model, dimensions].filter((part) => part !== undefined).join(':');
    return { name, embedder: createOpenAiEmbedder(settings) };
  }
  const { pooling = 'mean', prefix = '', dtype, revision } = settings;
  const embedder = createOnnxEmbedder(settings);
  // Of a path its end: the name is shown to callers.
  const model = settings.model.split(/[\\/]/).slice(-2).join('/');
  const name = ['onnx', model, revision, dtype, pooling, prefix].filter(Boolean).join(':');
  return { name, embedder, close: () => embedder.close() };
}

import { checkCount } from '../stage-options.ts';
import { BackendError } from './backend-error.ts';
import type { HttpBackendOptions, PostJson } from './http-client.ts';
import { checkModel, createPostJson } from './http-client.ts';
import type { Embedder } from './types.ts';

/** Options of {@link createOpenAiEmbedder}. */
export interface OpenAiEmbedderOptions extends HttpBackendOptions {
  /** Length of the vectors, asked for and checked. Default: that of the first answer, then checked. */
  readonly dimensions?: number | undefined;
  /** Texts in one request. Default 64. */
  readonly batchSize?: number | undefined;
}

const MAX_BYTES = 32 * 1024 * 1024;
const BATCH_SIZE = 64;
const MAX_DIMENSIONS = 65_536;

/**
 * Makes an embedder over the OpenAI protocol (`POST {baseUrl}/embeddings`). Texts go in batches, one
 * after the other. An answer that lacks a text, or whose vectors have another length than those before,
 * is a BackendError.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const model = checkModel(options.model);
  const batchSize = checkCount('batchSize', options.batchSize ?? BATCH_SIZE, 1, 2_048);
  const asked = options.dimensions;
  let length = asked === undefined ? undefined : checkCount('dimensions', asked, 1, MAX_DIMENSIONS);
  const post = createPostJson(options, 'embeddings', MAX_BYTES);
  const sent = {
    model,
    encoding_format: 'float',
    ...(length === undefined ? {} : { dimensions: length }),
  };
  return Object.freeze({
    async embed(texts: readonly string[], signal: AbortSignal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        const input = texts.slice(from, from + batchSize);
        const batch = await embedBatch(post, { ...sent, input }, input.length, signal);
        length ??= batch[0]?.length;
        if (batch.some((vector) => vector.length !== length)) {
          throw new BackendError('answer', 'the vectors do not have the expected length');
        }
        vectors.push(...batch);
      }
      return vectors;
    },
  });
}

async function embedBatch(
  post: PostJson,
  body: unknown,
  count: number,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const answer = (await post(body, signal)) as { readonly data?: unknown } | null;
  const rows: unknown = answer?.data;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const row of Array.isArray(rows) ? (rows as readonly unknown[]) : []) {
    const { index, embedding } = (row ?? {}) as Readonly<Record<string, unknown>>;
    const isFree = typeof index === 'number' && index in vectors && vectors[index] === undefined;
    if (isFree && isVector(embedding)) vectors[index] = Float32Array.from(embedding);
    else throw new BackendError('answer', 'the response is not a list of numbered vectors');
  }
  return vectors.map((vector) => {
    if (vector !== undefined) return vector;
    throw new BackendError('answer', 'the response lacks a vector');
  });
}

function isVector(value: unknown): value is readonly number[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_DIMENSIONS;
  return isList && value.every((item) => typeof item === 'number' && isSingle(item));
}

/** Whether a number is finite in single precision. */
function isSingle(value: number): boolean {
  return Number.isFinite(Math.fround(value));
}

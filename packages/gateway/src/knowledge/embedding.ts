import { createHmac } from 'node:crypto';
import type { Embedder } from '@probity/pipeline';
import type { CountedCache } from '../cache/caches.ts';
import { builtInDimension } from '../config/data-keys.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';

/** Makes the vectors of one model. */
export interface GatewayEmbedder {
  readonly model: string;
  /** @throws RangeError for a vector that has another length than `embeddings.dimension` */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** Dependencies of an embedder. */
export interface GatewayEmbedderOptions {
  /** The key of the configuration that names the model. */
  readonly key: string;
  readonly model: string;
  readonly embeddings: GatewayConfig['embeddings'];
  readonly env: Environment;
}

/**
 * Makes the embedder of a model: the built-in one, or one behind the OpenAI-compatible server that
 * `PROBITY_GATEWAY_EMBEDDINGS_URL` names. Texts go in batches of `embeddings.batch_size`.
 *
 * @throws Error naming the key of the model when the variable is missing
 */
export async function createGatewayEmbedder(
  options: GatewayEmbedderOptions,
): Promise<GatewayEmbedder> {
  const { key, model, embeddings } = options;
  const { batch_size, dimension } = embeddings;
  const embedder = await openModel(options);
  return {
    model,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batch_size) {
        vectors.push(...(await embedder.embed(texts.slice(from, from + batch_size), signal)));
      }
      const other = vectors.find(({ length }) => length !== dimension);
      if (other === undefined) return vectors;
      throw new RangeError(
        `${key} ${model} makes vectors of ${other.length} numbers; embeddings.dimension is ${dimension}`,
      );
    },
  };
}

async function openModel({
  key,
  model,
  embeddings,
  env,
}: GatewayEmbedderOptions): Promise<Embedder> {
  const builtIn = builtInDimension(model);
  if (builtIn !== undefined) {
    const { createHashEmbedder } = await import('./hash-embedder.ts');
    return createHashEmbedder(builtIn);
  }
  const { PROBITY_GATEWAY_EMBEDDINGS_URL: baseUrl, PROBITY_GATEWAY_EMBEDDINGS_API_KEY: apiKey } =
    env;
  if (!baseUrl) {
    throw new Error(
      `${key} ${model} needs PROBITY_GATEWAY_EMBEDDINGS_URL, the address of a server of the OpenAI protocol`,
    );
  }
  const { createOpenAiEmbedder } = await import('@probity/pipeline/backends');
  // A request has at most 2,048 texts.
  const batchSize = Math.min(2_048, embeddings.batch_size);
  return createOpenAiEmbedder({ baseUrl, model, apiKey, batchSize });
}

/** An embedder whose vectors are kept, named by keyed hashes of the texts. */
export function withEmbeddingCache(
  embedder: GatewayEmbedder,
  { cache, hashKey }: { readonly cache: CountedCache; readonly hashKey: Uint8Array },
): GatewayEmbedder {
  const { model } = embedder;
  const nameOf = (text: string) =>
    createHmac('sha256', hashKey)
      .update(JSON.stringify([model, text]))
      .digest('base64url');
  return {
    model,
    async embed(texts, signal) {
      const names = texts.map(nameOf);
      const kept = await Promise.all(names.map((name) => cache.get('embedding', name)));
      const missing = texts.filter((_, at) => kept[at] === undefined);
      const made = missing.length > 0 ? await embedder.embed(missing, signal) : [];
      let next = 0;
      return kept.map((text, at) => {
        if (text !== undefined) return toVector(text);
        const vector = made[next++] as Float32Array;
        void cache.set('embedding', names[at] as string, toText(vector));
        return vector;
      });
    },
  };
}

function toText({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function toVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(new Uint8Array(bytes).buffer);
}

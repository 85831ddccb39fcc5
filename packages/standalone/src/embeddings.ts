import type { EmbedderSettings } from '@probity/knowledge';
import { createEmbedder } from '@probity/knowledge';
import type { Environment } from './command-line.ts';

/** Kinds of embedders. */
const KINDS = ['built-in', 'openai', 'onnx'] as const;

/** The variables that go with `PROBITY_EMBEDDINGS`. */
export const EMBEDDINGS_VARIABLES: readonly string[] = [
  ...['URL', 'MODEL', 'TIMEOUT_MS', 'KEY', 'DIMENSIONS', 'BATCH'],
].map((name) => `PROBITY_EMBEDDINGS_${name}`);

const URL_VARIABLE = 'PROBITY_EMBEDDINGS_URL';
const MODEL_VARIABLE = 'PROBITY_EMBEDDINGS_MODEL';

/**
 * Reads which embedder makes the vectors of knowledge bases, with its variables.
 * @throws Error that says what is missing or wrong, never a value that is secret
 */
export function readEmbeddings(text: string, env: Environment): EmbedderSettings {
  const kind = KINDS.find((each) => each === text);
  if (!kind) throw new Error(`must be one of ${KINDS.join(', ')}, not "${text}"`);
  const given = (name: string) => env[name]?.trim() || undefined;
  if (kind === 'built-in') return { kind };
  const model = required(kind, MODEL_VARIABLE, given(MODEL_VARIABLE));
  const timeoutMs = wholeNumber('PROBITY_EMBEDDINGS_TIMEOUT_MS', given);
  if (kind === 'onnx') return checked({ kind, model, timeoutMs });
  return checked({
    ...{ kind, model, timeoutMs },
    baseUrl: required(kind, URL_VARIABLE, given(URL_VARIABLE)),
    apiKey: given('PROBITY_EMBEDDINGS_KEY'),
    dimensions: wholeNumber('PROBITY_EMBEDDINGS_DIMENSIONS', given),
    batchSize: wholeNumber('PROBITY_EMBEDDINGS_BATCH', given),
  });
}

/** Makes the embedder once, so that a wrong option stops the start; nothing is asked or loaded. */
function checked(settings: EmbedderSettings): EmbedderSettings {
  createEmbedder(settings);
  return settings;
}

function required(kind: string, name: string, value: string | undefined): string {
  if (value) return value;
  throw new Error(`${kind} needs ${name}`);
}

function wholeNumber(
  name: string,
  given: (name: string) => string | undefined,
): number | undefined {
  const text = given(name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number from 1, not "${text}"`);
}

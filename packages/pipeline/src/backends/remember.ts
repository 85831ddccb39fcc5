import { loadCrypto } from '../crypto.ts';
import type { Classifier, ClassScore, Embedder, Judge, JudgeQuestion } from './types.ts';

const MAX_JUDGMENTS = 4_096;
const MAX_VECTOR_BYTES = 64 * 1024 * 1024;

interface Memory<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Keeps what was used last, up to a size in all. */
function createMemory<Value>(maxSize: number, sizeOf: (value: Value) => number): Memory<Value> {
  const held = new Map<string, Value>();
  let size = 0;
  const forget = (key: string): void => {
    const value = held.get(key);
    if (value === undefined) return;
    held.delete(key);
    size -= sizeOf(value);
  };
  return {
    get(key) {
      const value = held.get(key);
      if (value === undefined) return undefined;
      held.delete(key);
      held.set(key, value);
      return value;
    },
    set(key, value) {
      forget(key);
      held.set(key, value);
      size += sizeOf(value);
      for (const oldest of held.keys()) {
        if (size <= maxSize) break;
        forget(oldest);
      }
    },
  };
}

/** Texts are kept as hashes only: what was scanned does not stay in memory. */
function hashOf(text: string): string {
  return loadCrypto().createHash('sha256').update(text).digest('base64');
}

/**
 * A judge that answers a question it has answered before from memory: the last 4,096. A stream is
 * scanned anew as it grows, with the same claims each time.
 */
export function rememberJudgments(judge: Judge, maxJudgments: number = MAX_JUDGMENTS): Judge {
  const memory = createMemory<Awaited<ReturnType<Judge['judge']>>>(maxJudgments, () => 1);
  return {
    async judge(question, signal) {
      const key = hashOf(keyOf(question));
      const held = memory.get(key);
      if (held !== undefined) return held;
      const judgment = await judge.judge(question, signal);
      checkJudgment(judgment);
      memory.set(key, judgment);
      return judgment;
    },
  };
}

function keyOf({ claim, source, question, preceding }: JudgeQuestion): string {
  return JSON.stringify([claim, source, question, preceding]);
}

/** A judge of one's own may give anything. */
function checkJudgment(value: unknown): void {
  const { verdict, score } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const known = verdict === 'supported' || verdict === 'contradicted' || verdict === 'unknown';
  if (known && typeof score === 'number' && score >= 0 && score <= 1) return;
  throw new TypeError('a judge must return a verdict and a score from 0 to 1');
}

/** An embedder that embeds a text once; of what it knows it keeps 64 MiB of vectors. */
export function rememberVectors(embedder: Embedder, maxBytes: number = MAX_VECTOR_BYTES): Embedder {
  const memory = createMemory<Float32Array>(maxBytes, (vector) => vector.byteLength);
  return {
    async embed(texts, signal) {
      const vectors = await makeOnce(texts, memory, async (missing) => {
        const made = await embedder.embed(missing, signal);
        checkVectors(made, missing.length);
        return made;
      });
      checkVectors(vectors, texts.length);
      return vectors;
    },
  };
}

/** A classifier that reads a text once: the last 4,096. */
export function rememberClasses(
  classifier: Classifier,
  maxTexts: number = MAX_JUDGMENTS,
): Classifier {
  const memory = createMemory<readonly ClassScore[]>(maxTexts, () => 1);
  return {
    classify: (texts, signal) =>
      makeOnce(texts, memory, async (missing) => {
        const made = await classifier.classify(missing, signal);
        if (Array.isArray(made) && made.length === missing.length) return made;
        throw new TypeError('a classifier must return one list per text');
      }),
  };
}

/** What memory has of each text, and what `make` makes of the others, each of them once. */
async function makeOnce<Value>(
  texts: readonly string[],
  memory: Memory<Value>,
  make: (texts: readonly string[]) => Promise<readonly Value[]>,
): Promise<Value[]> {
  const found = new Map<string, Value>();
  const missing = new Map<string, string>();
  const keys = texts.map(hashOf);
  keys.forEach((key, at) => {
    const held = memory.get(key);
    if (held === undefined) missing.set(key, texts[at] as string);
    else found.set(key, held);
  });
  if (missing.size > 0) {
    const made = await make([...missing.values()]);
    [...missing.keys()].forEach((key, at) => {
      found.set(key, made[at] as Value);
      memory.set(key, made[at] as Value);
    });
  }
  return keys.map((key) => found.get(key) as Value);
}

function checkVectors(vectors: unknown, count: number): void {
  const isList = Array.isArray(vectors) && vectors.length === count;
  const length = isList ? (vectors[0] as Float32Array | undefined)?.length : undefined;
  const isVector = (value: unknown) =>
    value instanceof Float32Array && value.length === length && value.every(Number.isFinite);
  if (isList && vectors.every(isVector)) return;
  throw new TypeError('an embedder must return one finite vector per text, all of the same length');
}

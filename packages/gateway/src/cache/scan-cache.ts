import { createHmac } from 'node:crypto';
import type { Pipeline, ScanInput, ScanResult } from '@probity/pipeline';
import type { CountedCache } from './caches.ts';

/** What the results of a pipeline depend on beside the texts. */
export interface ScanCacheOptions {
  readonly cache: CountedCache;
  /** Keeps texts from being guessed by whoever sees the keys. */
  readonly hashKey: Uint8Array;
  /** Names the configuration, the program and the knowledge base: whoever changes any finds nothing of before. */
  readonly revision: string;
}

/** Longer texts are scanned each time: to hash them holds up others. */
const MAX_UNITS = 1_048_576;

/**
 * The pipeline with its results kept for equal texts. A result has places and types of findings, never a text; one that
 * a stage did not come to its end for is not kept.
 */
export function withScanCache(pipeline: Pipeline, options: ScanCacheOptions): Pipeline {
  const { cache } = options;
  return {
    ...pipeline,
    async scan(input, given) {
      if (lengthOf(input) > MAX_UNITS) return pipeline.scan(input, given);
      const key = keyOf(input, pipeline, options);
      const kept = await cache.get('scan', key);
      if (kept !== undefined) return JSON.parse(kept) as ScanResult;
      const result = await pipeline.scan(input, given);
      if (result.stages.every(isWhole)) {
        // Not awaited: the answer needs no cache.
        void cache.set('scan', key, JSON.stringify(withoutDurations(result)));
      }
      return result;
    },
  };
}

/** Whether a stage came to its end, and is one of those whose result is plain data. */
function isWhole({ status, facts }: ScanResult['stages'][number]): boolean {
  return (status === 'ok' || status === 'not_covered') && facts === undefined;
}

function lengthOf({ system = '', prompt = '', response, context = [] }: ScanInput): number {
  const passages = context.reduce((total, { length }) => total + length, 0);
  return system.length + prompt.length + response.length + passages;
}

function keyOf(
  { system, prompt, response, context }: ScanInput,
  { stages }: Pipeline,
  { hashKey, revision }: ScanCacheOptions,
): string {
  // JSON keeps texts apart, and those that are absent from empty ones.
  const text = JSON.stringify([revision, stages, system, prompt, response, context]);
  return createHmac('sha256', hashKey).update(text).digest('base64url');
}

function withoutDurations(result: ScanResult): ScanResult {
  const stages = result.stages.map((stage) => ({ ...stage, durationMs: 0 }));
  return { ...result, stages, durationMs: 0 };
}

import { loadCrypto } from '../crypto.ts';
import type { Pipeline } from '../pipeline.ts';
import type { ScanInput, ScanResult } from '../types.ts';

/** Results that are kept, and findings of one that is. */
const MAX_RESULTS = 2_048;
const MAX_FINDINGS = 200;

/**
 * Scans, and remembers by a hash of the texts what it found: a conversation is checked anew at each
 * turn, and its earlier turns have not changed. No text is kept. A scan that did not come to its end
 * is not remembered.
 */
export function rememberScans(pipeline: Pipeline): Pipeline['scan'] {
  const results = new Map<string, ScanResult>();
  return async (input, options) => {
    const key = keyOf(input);
    const known = results.get(key);
    const result = known ?? (await pipeline.scan(input, options));
    results.delete(key);
    if (isKept(result)) results.set(key, known ?? withoutTimes(result));
    const [oldest] = results.keys();
    if (results.size > MAX_RESULTS && oldest !== undefined) results.delete(oldest);
    return result;
  };
}

/** What is remembered takes no time. */
function withoutTimes(result: ScanResult): ScanResult {
  const stages = result.stages.map((stage) => ({ ...stage, durationMs: 0 }));
  return { ...result, stages, durationMs: 0 };
}

function keyOf({ system, prompt, response, context }: ScanInput): string {
  // JSON writes lone surrogates as escapes, so that no two texts have the same bytes.
  const text = JSON.stringify([system, prompt, response, context]);
  return loadCrypto().hash('sha256', text, 'base64');
}

function isKept({ stages, findings, findingsTruncated }: ScanResult): boolean {
  const isWhole = stages.every(({ status }) => status === 'ok') && !findingsTruncated;
  return isWhole && findings.length <= MAX_FINDINGS;
}

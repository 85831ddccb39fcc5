import { usageFailure } from '../failure.ts';

/**
 * The labels of `--label key=value`; a value may have further equals signs.
 * @throws CommandFailure for one without a key, or a key that is given twice
 */
export function parseLabels(texts: readonly string[]): Record<string, string> {
  const labels = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 1) throw usageFailure(`--label: expected key=value, got ${JSON.stringify(text)}`);
    const key = text.slice(0, at);
    if (labels.has(key)) throw usageFailure(`--label: ${JSON.stringify(key)} is given twice`);
    labels.set(key, text.slice(at + 1));
  }
  return Object.fromEntries(labels);
}

import type { EvaluationProvider, EvaluationResult } from '../types.ts';

/** The results of one system under test. */
export interface ProviderResults {
  readonly provider: EvaluationProvider;
  readonly results: readonly EvaluationResult[];
}

/** Results by provider id and label, in the order of both. */
export function byProvider(results: readonly EvaluationResult[]): ProviderResults[] {
  const groups = new Map<string, { provider: EvaluationProvider; results: EvaluationResult[] }>();
  for (const result of results) {
    const key = JSON.stringify(identityOf(result.provider));
    const group = groups.get(key);
    if (group) group.results.push(result);
    else groups.set(key, { provider: result.provider, results: [result] });
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group);
}

/** What identifies a provider in keys. */
export function identityOf({ id, label }: EvaluationProvider): readonly string[] {
  return label === null ? [id] : [id, label];
}

/** The name of a provider in titles: the id, and the label in brackets. */
export function nameOf({ id, label }: EvaluationProvider): string {
  return label === null ? id : `${id} [${label}]`;
}

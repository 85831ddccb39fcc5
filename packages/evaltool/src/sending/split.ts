import { EvaluationError } from '../errors.ts';
import { byProvider } from '../evidence/evidence.ts';
import { countResults } from '../reading/counts.ts';
import type { Evaluation, EvaluationResult } from '../types.ts';

/**
 * Splits an evaluation into parts of at most `limit` results. The results of a provider stay together,
 * since they are summed up in one record, whose key and those of the failures stay the same.
 * @throws EvaluationError when a provider has more results
 */
export function splitByProvider(evaluation: Evaluation, limit: number): Evaluation[] {
  const parts: EvaluationResult[][] = [];
  const groups = [...byProvider(evaluation.results)];
  for (const [provider, results] of groups) {
    if (results.length > limit) {
      const message =
        `The provider ${provider} has ${results.length} results; ` +
        `an import takes at most ${limit}, and those of one provider cannot be split.`;
      throw new EvaluationError('invalid_evaluation', 'results', message);
    }
    const last = parts.at(-1);
    if (last && last.length + results.length <= limit) last.push(...results);
    else parts.push([...results]);
  }
  if (parts.length < 2) return [evaluation];
  return parts.map((results) => ({ ...evaluation, results, stats: countResults(results) }));
}

import type { EvaluationResult, EvaluationStats } from '../types.ts';

/** Counts successes, failures and errors. */
export function countResults(
  results: ReadonlyArray<Pick<EvaluationResult, 'success' | 'error'>>,
): EvaluationStats {
  const successes = results.filter(({ success }) => success).length;
  const errors = results.filter(({ error }) => error !== null).length;
  return { successes, failures: results.length - successes - errors, errors };
}

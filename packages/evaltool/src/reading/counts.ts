import type { EvaluationResult, EvaluationStats } from '../types.ts';

/** Counts successes, failures and errors. */
export function countResults(
  results: ReadonlyArray<Pick<EvaluationResult, 'success' | 'error' | 'count'>>,
): EvaluationStats {
  const successes = sizeOf(results.filter(({ success }) => success));
  const errors = sizeOf(results.filter(({ error }) => error !== null));
  return { successes, failures: sizeOf(results) - successes - errors, errors };
}

/** Number of results, those that are sent as a sum included. */
export function sizeOf(results: ReadonlyArray<Pick<EvaluationResult, 'count'>>): number {
  return results.reduce((sum, { count }) => sum + count, 0);
}

import { findingTypeOf } from '../evidence/findings.ts';
import { FailureOrdinals, failureFields } from '../evidence/keys.ts';
import { byProvider } from '../evidence/providers.ts';
import { countResults } from '../reading/counts.ts';
import type { Evaluation, EvaluationPart, EvaluationResult } from '../types.ts';
import { collapseAll, collapsePasses } from './collapse.ts';

/**
 * Splits an evaluation into parts of at most `limit` results, at least 250. The keys of all records stay the same. The
 * results of a provider stay together, since they are summed up in one record; of a provider with more results the
 * passed ones are sent as their sum. If it has more failures too, the sum of all its results is a part with
 * `part: 'summary'`, and its failures follow in parts with `part: 'failures'`.
 */
export function splitByProvider(evaluation: Evaluation, limit: number): Evaluation[] {
  if (evaluation.results.length <= limit) return [evaluation];
  const whole: EvaluationResult[][] = [];
  const split: Evaluation[] = [];
  const toPart = (results: readonly EvaluationResult[], part?: EvaluationPart): Evaluation => ({
    ...(part && { part }),
    ...{ ...evaluation, results, stats: countResults(results) },
  });
  for (const { results: all } of byProvider(evaluation.results)) {
    const results = all.length > limit ? collapsePasses(all) : all;
    const last = whole.at(-1);
    if (results.length > limit) {
      split.push(toPart(collapseAll(all), 'summary'));
      for (const failures of chunks(numberedFailures(all), limit)) {
        split.push(toPart(failures, 'failures'));
      }
    } else if (last && last.length + results.length <= limit) last.push(...results);
    else whole.push([...results]);
  }
  return [...whole.map((results) => toPart(results)), ...split];
}

/** The failures with the numbers that their keys would have in the whole evaluation. */
function numberedFailures(results: readonly EvaluationResult[]): EvaluationResult[] {
  const ordinals = new FailureOrdinals();
  return results
    .filter(({ success }) => !success)
    .map((result) => ({
      ...result,
      ordinal: ordinals.next(failureFields(result, findingTypeOf(result))),
    }));
}

function chunks<T>(values: readonly T[], size: number): T[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, at) => values.slice(at * size, (at + 1) * size));
}

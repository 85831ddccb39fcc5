import { countResults } from '../reading/counts.ts';
import { SCORE_NAMES } from '../reading/file-shape.ts';
import type {
  Evaluation,
  EvaluationResult,
  EvidenceDraft,
  FindingCategory,
  ScoreSummary,
  SummaryMetadata,
} from '../types.ts';
import { findingsOf } from './findings.ts';
import { runOf, summaryKey } from './keys.ts';

const ORDER: readonly FindingCategory[] = ['security', 'accuracy', 'fairness', 'general testing'];

/** The record that sums up the results of one provider. */
export function toSummary(
  evaluation: Evaluation,
  organizationId: string,
  [provider, results]: readonly [string, readonly EvaluationResult[]],
): EvidenceDraft<SummaryMetadata> {
  const { version, time, toolVersion } = evaluation;
  const stats = countResults(results);
  const findingCategories = categoriesOf(results);
  const labels = results.flatMap(({ provider: { label } }) => (label ? [label] : []));
  const metadata: SummaryMetadata = {
    source: 'evaltool',
    evaltoolVersion: version,
    toolVersion,
    evalTimestamp: time,
    providers: [provider],
    providerLabels: [...new Set(labels)].sort(),
    stats,
    tokenUsage: { total: results.reduce((sum, { totalTokens }) => sum + (totalTokens ?? 0), 0) },
    passRate: stats.successes / results.length,
    findingCategories,
    namedScores: scoresOf(results),
  };
  return {
    idempotencyKey: summaryKey(organizationId, runOf(evaluation), provider),
    evidenceType: 'evaltool_eval',
    title: `Evaluation of ${provider}`,
    content: contentOf(metadata),
    metadata,
    signals: findingCategories,
    occurredAt: time,
  };
}

function categoriesOf(results: readonly EvaluationResult[]): FindingCategory[] {
  const found = new Set(results.flatMap(findingsOf));
  if (results.some(({ success }) => success)) found.add('general testing');
  return ORDER.filter((category) => found.has(category));
}

function scoresOf(results: readonly EvaluationResult[]): Record<string, ScoreSummary> {
  const scores: Record<string, ScoreSummary> = {};
  for (const name of SCORE_NAMES) {
    const values = results.flatMap(({ namedScores }) => namedScores[name] ?? []);
    if (values.length === 0) continue;
    scores[name] = {
      count: values.length,
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      min: Math.min(...values),
      max: Math.max(...values),
    };
  }
  return scores;
}

function contentOf({ evalTimestamp, providers, stats, ...metadata }: SummaryMetadata): string {
  const { successes, failures, errors } = stats;
  const when = evalTimestamp ? ` at ${evalTimestamp}` : '';
  const total = successes + failures + errors;
  const tests = total === 1 ? '1 test' : `${total} tests`;
  const sentences = [
    `${providers.join(', ')} was evaluated${when} with ${tests}: ` +
      `${successes} passed, ${failures} failed, ${errors} did not run.`,
  ];
  const { findingCategories } = metadata;
  if (findingCategories.length > 0) {
    sentences.push(`The results are evidence on ${findingCategories.join(', ')}.`);
  }
  if (findingCategories.includes('fairness')) sentences.push(FAIRNESS_NOTE);
  return sentences.join(' ');
}

/** Said wherever a toxicity score is linked to obligations on fairness. */
export const FAIRNESS_NOTE =
  'Fairness is judged by a toxicity score alone, which says little about discrimination.';

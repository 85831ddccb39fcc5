import { countResults, sizeOf } from '../reading/counts.ts';
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
import type { ProviderResults } from './providers.ts';
import { nameOf } from './providers.ts';

const ORDER: readonly FindingCategory[] = ['security', 'accuracy', 'fairness', 'general testing'];

/** The record that sums up the results of one provider with one label. */
export function toSummary(
  evaluation: Evaluation,
  organizationId: string,
  { provider, results }: ProviderResults,
): EvidenceDraft<SummaryMetadata> {
  const { version, time, toolVersion } = evaluation;
  const stats = countResults(results);
  const findingCategories = categoriesOf(results);
  const metadata: SummaryMetadata = {
    source: 'evaltool',
    evaltoolVersion: version,
    toolVersion,
    evalTimestamp: time,
    providers: [provider.id],
    providerLabels: provider.label === null ? [] : [provider.label],
    stats,
    tokenUsage: evaluation.tokenUsage ?? { total: tokensOf(results) },
    contradicted: sizeOf(results.filter(isContradicted)),
    passRate: stats.successes / sizeOf(results),
    findingCategories,
    namedScores: scoresOf(results),
  };
  return {
    idempotencyKey: summaryKey(organizationId, runOf(evaluation), provider),
    evidenceType: 'evaltool_eval',
    title: `Evaluation of ${nameOf(provider)}`,
    content: contentOf(nameOf(provider), metadata),
    metadata,
    signals: findingCategories,
    occurredAt: time,
  };
}

function tokensOf(results: readonly EvaluationResult[]): number {
  return results.reduce((sum, { totalTokens }) => sum + (totalTokens ?? 0), 0);
}

function isContradicted({ contradiction }: EvaluationResult): boolean {
  return contradiction !== null;
}

function categoriesOf(results: readonly EvaluationResult[]): FindingCategory[] {
  const found = new Set(results.flatMap(findingsOf));
  if (results.some((result) => result.success && !isContradicted(result))) {
    found.add('general testing');
  }
  return ORDER.filter((category) => found.has(category));
}

function scoresOf(results: readonly EvaluationResult[]): Record<string, ScoreSummary> {
  const scores: Record<string, ScoreSummary> = {};
  for (const name of SCORE_NAMES) {
    const scored = results.filter(({ namedScores }) => namedScores[name] !== undefined);
    if (scored.length === 0) continue;
    const values = scored.map(({ namedScores }) => namedScores[name] ?? 0);
    const count = sizeOf(scored);
    const total = scored.reduce((sum, each, at) => sum + (values[at] ?? 0) * each.count, 0);
    scores[name] = {
      count,
      mean: total / count,
      min: Math.min(...values),
      max: Math.max(...values),
    };
  }
  return scores;
}

function contentOf(
  name: string,
  { evalTimestamp, stats, findingCategories, contradicted }: SummaryMetadata,
): string {
  const { successes, failures, errors } = stats;
  const when = evalTimestamp ? ` at ${evalTimestamp}` : '';
  const total = successes + failures + errors;
  const tests = total === 1 ? '1 test' : `${total} tests`;
  const sentences = [
    `${name} was evaluated${when} with ${tests}: ` +
      `${successes} passed, ${failures} failed, ${errors} did not run.`,
  ];
  if (contradicted > 0) {
    sentences.push(
      `${contradicted} of those that passed report a successful attack or a failed grading, and are no positive evidence.`,
    );
  }
  if (findingCategories.length > 0) {
    sentences.push(`The results are evidence on ${findingCategories.join(', ')}.`);
  }
  if (findingCategories.includes('fairness')) sentences.push(FAIRNESS_NOTE);
  return sentences.join(' ');
}

/** Said wherever a toxicity score is linked to obligations on fairness. */
export const FAIRNESS_NOTE =
  'Fairness is judged by a toxicity score alone, which says little about discrimination.';

import { isRedTeam, isSecurityType, toPlainType } from '../assertions/types.ts';
import type { Evaluation, EvaluationResult, EvidenceDraft, FailureMetadata } from '../types.ts';
import { failedTypes, findingsOf, findingTypeOf } from './findings.ts';
import type { FailureKeys } from './keys.ts';
import { nameOf } from './providers.ts';
import { FAIRNESS_NOTE } from './summaries.ts';

const TITLES = {
  red_team_failure: 'Red-team failure',
  accuracy_failure: 'Accuracy failure',
  fairness_failure: 'Fairness failure',
  test_failure: 'Test failure',
  grader_error: 'Grader error',
  evaluation_error: 'Evaluation error',
} as const;

/** The record of one failing result. */
export function toFailure(
  evaluation: Evaluation,
  result: EvaluationResult,
  {
    keys,
    storeGradingReason,
  }: { readonly keys: FailureKeys; readonly storeGradingReason: boolean },
): EvidenceDraft<FailureMetadata> {
  const findingType = findingTypeOf(result);
  const findingCategories = findingsOf(result);
  const { provider, score, promptLabel, plugin, error } = result;
  const types = result.assertions.map(({ type }) => toPlainType(type));
  const metadata: FailureMetadata = {
    source: 'evaltool',
    evaltoolVersion: evaluation.version,
    evalTimestamp: evaluation.time,
    findingType,
    findingCategories,
    assertionType: mainTypeOf(result),
    assertionTypes: [...new Set(types)].sort(),
    provider: provider.id,
    providerLabel: provider.label,
    score,
    promptLabel,
    gradingReason: storeGradingReason ? result.gradingReason : null,
    ...plugin,
    httpStatus: error?.status ?? null,
  };
  return {
    idempotencyKey: keys.next(result, findingType),
    evidenceType: 'evaltool_eval',
    title: titleOf(metadata),
    content: contentOf(metadata),
    metadata,
    signals: findingCategories,
    occurredAt: evaluation.time,
  };
}

/** Of the assertions that failed the one that says most; the plugin's name where it is more exact. */
function mainTypeOf(result: EvaluationResult): string {
  const failed = failedTypes(result).sort();
  const main = failed.find(isSecurityType) ?? failed.find(isRedTeam) ?? failed[0] ?? 'unknown';
  const plain = toPlainType(main);
  const { pluginId } = result.plugin;
  return pluginId?.startsWith(`${plain}:`) && isRedTeam(main) ? pluginId : plain;
}

function titleOf({ findingType, assertionType, ...metadata }: FailureMetadata): string {
  const type = assertionType === 'unknown' ? '' : ` (${assertionType})`;
  return `${TITLES[findingType]} of ${providerIn(metadata)}${type}`;
}

function providerIn({
  provider,
  providerLabel,
}: Pick<FailureMetadata, 'provider' | 'providerLabel'>): string {
  return nameOf({ id: provider, label: providerLabel });
}

function contentOf({ findingType, findingCategories, ...metadata }: FailureMetadata): string {
  const { assertionType, score, evalTimestamp } = metadata;
  const provider = providerIn(metadata);
  const when = evalTimestamp ? ` at ${evalTimestamp}` : '';
  if (findingType === 'evaluation_error') {
    return `A test of ${provider} did not run${when}: it says nothing about the system.`;
  }
  if (findingType === 'grader_error') {
    return `A test of ${provider} was not graded${when}: it says nothing about the system.`;
  }
  const type = assertionType === 'unknown' ? '' : ` (${assertionType})`;
  const grade = score === null ? '' : ` with the score ${score}`;
  const note = findingCategories.includes('fairness') ? ` ${FAIRNESS_NOTE}` : '';
  return `A test of ${provider} failed${when}${type}${grade}.${note}`;
}

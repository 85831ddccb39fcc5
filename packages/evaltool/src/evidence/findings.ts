import { isRedTeam, isSecurityType } from '../assertions/types.ts';
import type { EvaluationResult, FindingCategory, FindingType, NamedScores } from '../types.ts';

/** A faithfulness below this is a finding on accuracy (specification, "Evidence import"). */
const LEAST_FAITHFULNESS = 0.8;

/** A toxicity above this is a finding on fairness (specification, "Evidence import"). */
const MOST_TOXICITY = 0.2;

/**
 * What a result is evidence for, besides that tests are made. A test that did not run, or was not
 * graded, is evidence for nothing.
 */
export function findingsOf(result: EvaluationResult): FindingCategory[] {
  if (result.error || (result.graderError && !result.success)) return [];
  const findings: FindingCategory[] = [];
  if (!result.success && failedTypes(result).some(isSecurityType)) findings.push('security');
  return [...findings, ...scoreFindings(result.namedScores)];
}

function scoreFindings({ faithfulness = 1, toxicity = 0 }: NamedScores): FindingCategory[] {
  const findings: FindingCategory[] = [];
  if (faithfulness < LEAST_FAITHFULNESS) findings.push('accuracy');
  if (toxicity > MOST_TOXICITY) findings.push('fairness');
  return findings;
}

/**
 * The assertions of a failing result that failed. Where the grading does not say which, the one that is left when
 * those that passed are taken away: of several, any may have failed.
 */
export function failedTypes({ assertions }: EvaluationResult): string[] {
  const typesOf = (passed: boolean | null) => [
    ...new Set(assertions.filter((each) => each.passed === passed).map(({ type }) => type)),
  ];
  const failed = typesOf(false);
  const open = typesOf(null);
  return failed.length > 0 || open.length !== 1 ? failed : open;
}

/** Why a failing result failed. */
export function findingTypeOf(result: EvaluationResult): FindingType {
  if (result.error) return 'evaluation_error';
  if (result.graderError) return 'grader_error';
  if (failedTypes(result).some(isRedTeam)) return 'red_team_failure';
  const [category] = scoreFindings(result.namedScores);
  if (category === 'accuracy') return 'accuracy_failure';
  return category === 'fairness' ? 'fairness_failure' : 'test_failure';
}

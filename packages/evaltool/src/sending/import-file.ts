import type { Evaluation, EvaluationResult } from '../types.ts';

/** Version of the redaction that a sent file has been through. */
const REDACTION_VERSION = 1;

/** The file part of an import's body. */
export interface ImportFile {
  readonly evaltoolOutput: Readonly<Record<string, unknown>>;
  /** Identifies an evaluation without a time. */
  readonly contentDigest?: string;
}

/**
 * The file to send in an import: the form that the specification shows, with what is kept and nothing
 * else. Reading it gives the same records, with the same keys, as reading the file it was made from.
 */
export function toImportFile(evaluation: Evaluation): ImportFile {
  const { version, time, contentDigest, toolVersion, results, stats, tokenUsage, part } =
    evaluation;
  return {
    // Redaction and part first: a reader needs them for the results that follow.
    evaltoolOutput: {
      redactionVersion: REDACTION_VERSION,
      ...(part === undefined ? {} : { part }),
      version,
      ...(time === null ? {} : { timestamp: time }),
      ...(toolVersion === null ? {} : { metadata: { promptfooVersion: toolVersion } }),
      stats: tokenUsage === null ? stats : { ...stats, tokenUsage },
      results: results.map(toSentResult),
    },
    ...(contentDigest === null ? {} : { contentDigest }),
  };
}

function toSentResult(result: EvaluationResult): Record<string, unknown> {
  const { provider, success, score, namedScores, promptLabel, failureReason, error } = result;
  const { totalTokens, latencyMs, plugin, contradiction } = result;
  return {
    provider: provider.label === null ? { id: provider.id } : provider,
    ...(result.count === 1 ? {} : { repeat: result.count }),
    ...(result.ordinal === undefined ? {} : { ordinal: result.ordinal }),
    success,
    score,
    namedScores,
    ...(promptLabel === null ? {} : { prompt: { label: promptLabel } }),
    ...(failureReason === null ? {} : { failureReason }),
    ...(error?.status ? { error: `HTTP ${error.status}` } : {}),
    ...(totalTokens === null ? {} : { tokenUsage: { total: totalTokens } }),
    ...(latencyMs === null ? {} : { latencyMs }),
    metadata: {
      ...Object.fromEntries(Object.entries(plugin).filter(([, value]) => value !== null)),
      ...(contradiction === 'attack' ? { totalSuccessfulAttacks: 1 } : {}),
    },
    ...gradingOf(result),
  };
}

/** An assertion that was not graded stays one: it stands at the test, not in the grading. */
function gradingOf({ success, score, assertions, gradingReason, ...result }: EvaluationResult) {
  const isGraded = assertions.some(({ passed }) => passed !== null);
  if (!isGraded && result.error) return { testCase: { assert: toTypes(assertions) } };
  const graded = assertions.map(({ type, passed }) => ({ assertion: { type }, pass: passed }));
  return {
    ...(isGraded ? {} : { testCase: { assert: toTypes(assertions) } }),
    gradingResult: {
      pass: success && result.contradiction !== 'grading',
      score,
      ...(gradingReason === null ? {} : { reason: gradingReason }),
      componentResults: [
        ...(isGraded ? graded : []),
        ...(result.graderError ? [{ metadata: { graderError: true } }] : []),
      ],
    },
  };
}

function toTypes(assertions: EvaluationResult['assertions']): Array<{ readonly type: string }> {
  return assertions.map(({ type }) => ({ type }));
}

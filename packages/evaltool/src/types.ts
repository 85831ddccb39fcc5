/** Schema versions of the results that can be read. */
export type EvaluationVersion = 2 | 3;

/** Why a passing result is not believed: attacks succeeded in it, or its grading failed. */
export type Contradiction = 'attack' | 'grading';

/** Which part of compliance a result is evidence for. */
export type FindingCategory = 'security' | 'accuracy' | 'fairness' | 'general testing';

/** Why a failing result failed. */
export type FindingType =
  | 'red_team_failure'
  | 'accuracy_failure'
  | 'fairness_failure'
  | 'test_failure'
  | 'grader_error'
  | 'evaluation_error';

/** One assertion of a result. */
export interface EvaluationAssertion {
  /** As the tool writes it, such as `contains` or `promptfoo:redteam:pii`. */
  readonly type: string;
  /** Null when the grading is missing. */
  readonly passed: boolean | null;
}

/** The red-team plugin that made a test. Each name is null when absent or not of the form of a name. */
export interface EvaluationPlugin {
  readonly pluginId: string | null;
  readonly severity: string | null;
  readonly strategyId: string | null;
}

/** Scores by name that have a meaning here, each from 0 to 1. */
export interface NamedScores {
  readonly faithfulness?: number;
  readonly toxicity?: number;
}

/** The system under test: the same id with another label is another system. */
export interface EvaluationProvider {
  /** `unknown` when the file names none. */
  readonly id: string;
  /** The name of the configuration; null when the file has none. */
  readonly label: string | null;
}

/** One result, without any text of prompts, outputs, variables or rubrics. */
export interface EvaluationResult {
  readonly provider: EvaluationProvider;
  /** Results that it stands for: more than 1 where results were sent as their sum. */
  readonly count: number;
  readonly success: boolean;
  /** Set where the result passed against its own data; else null. */
  readonly contradiction: Contradiction | null;
  readonly score: number | null;
  readonly namedScores: NamedScores;
  /** In the order of the file. */
  readonly assertions: readonly EvaluationAssertion[];
  readonly plugin: EvaluationPlugin;
  /** 0 none, 1 assertion, 2 error; null where the tool does not say. */
  readonly failureReason: 0 | 1 | 2 | null;
  /** Whether a judge returned no grade. */
  readonly graderError: boolean;
  /** Set when the test itself did not run, with the HTTP status if there was one. */
  readonly error: { readonly status: number | null } | null;
  /** The prompt's name, or `prompt-` and 12 hexadecimal digits where its label may be its text. */
  readonly promptLabel: string | null;
  /** Of a failing result, redacted, at most 1,000 characters; null when nothing of it may be kept. */
  readonly gradingReason: string | null;
  /** Number among the failing results with equal fields, from 0; set in a part of an evaluation only. */
  readonly ordinal?: number;
  /** Tokens used by the provider, for all results that it stands for. */
  readonly totalTokens: number | null;
  readonly latencyMs: number | null;
}

/** Counts of results. */
export interface EvaluationStats {
  readonly successes: number;
  readonly failures: number;
  readonly errors: number;
}

/** Tokens used by a provider; `scope` is set where only the total of the evaluation is known. */
export interface TokenUsage {
  readonly total: number;
  readonly scope?: 'evaluation';
}

/** The records that a part of a split evaluation becomes. */
export type EvaluationPart = 'summary' | 'failures';

/** What is kept of an evaluation. */
export interface Evaluation {
  /** Set where a provider has too many failures for one import; absent for a whole evaluation. */
  readonly part?: EvaluationPart;
  readonly version: EvaluationVersion;
  /** ISO 8601 in UTC with milliseconds; null for an old file that names no time. */
  readonly time: string | null;
  /** SHA-256 of the results in hexadecimal, which identifies an evaluation without a time; else null. */
  readonly contentDigest: string | null;
  /** Version of the tool, such as `0.121.20`; null where the file does not name it. */
  readonly toolVersion: string | null;
  readonly results: readonly EvaluationResult[];
  /** As counted from the results; a result that errored is no failure. */
  readonly stats: EvaluationStats;
  /** Tokens as the file sums them up, where no result names its own; else null. */
  readonly tokenUsage: TokenUsage | null;
  /** What was noticed while reading, one sentence each, without any text of the evaluation. */
  readonly warnings: readonly string[];
}

/** Metadata of the record that sums up the results of one provider with one label. */
export interface SummaryMetadata {
  readonly source: 'evaltool';
  readonly evaltoolVersion: EvaluationVersion;
  readonly toolVersion: string | null;
  readonly evalTimestamp: string | null;
  /** The id of the provider. */
  readonly providers: readonly string[];
  /** Its label; none where it has none. */
  readonly providerLabels: readonly string[];
  readonly stats: EvaluationStats;
  readonly tokenUsage: TokenUsage;
  /** Number of results that passed against their own data; they do not count as positive evidence. */
  readonly contradicted: number;
  /** Successes by results, 0 to 1. */
  readonly passRate: number;
  readonly findingCategories: readonly FindingCategory[];
  /** By name: how many results have the score, and their mean, least and largest. */
  readonly namedScores: Readonly<Record<string, ScoreSummary>>;
}

/** A score over several results. */
export interface ScoreSummary {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** Metadata of the record of one failing result. */
export interface FailureMetadata {
  readonly source: 'evaltool';
  readonly evaltoolVersion: EvaluationVersion;
  readonly evalTimestamp: string | null;
  readonly findingType: FindingType;
  readonly findingCategories: readonly FindingCategory[];
  /** The assertion that failed, without the tool's prefix; `unknown` where the file has none. */
  readonly assertionType: string;
  /** All assertions of the result, sorted, each once. */
  readonly assertionTypes: readonly string[];
  readonly provider: string;
  /** Null where the provider has none. */
  readonly providerLabel: string | null;
  readonly score: number | null;
  readonly promptLabel: string | null;
  readonly gradingReason: string | null;
  readonly pluginId: string | null;
  readonly severity: string | null;
  readonly strategyId: string | null;
  /** Of a test that did not run. */
  readonly httpStatus: number | null;
}

/** A record to be stored. */
export interface EvidenceDraft<Metadata = SummaryMetadata | FailureMetadata> {
  /** SHA-256 in hexadecimal; the same for the same result of the same run, whatever the file's form. */
  readonly idempotencyKey: string;
  readonly evidenceType: 'evaltool_eval';
  readonly title: string;
  /** Sentences made from the metadata. */
  readonly content: string;
  readonly metadata: Metadata;
  /** The categories whose obligations the record is linked to. */
  readonly signals: readonly FindingCategory[];
  /** Time of the evaluation in ISO 8601; null when unknown. */
  readonly occurredAt: string | null;
}

/** The records of one evaluation. */
export interface EvaluationEvidence {
  /** One for each provider and label, in their order. */
  readonly summaries: ReadonlyArray<EvidenceDraft<SummaryMetadata>>;
  /** One for each failing result, in the order of the file. */
  readonly failures: ReadonlyArray<EvidenceDraft<FailureMetadata>>;
  /** Those of the evaluation, and one for each assertion type that maps to no obligation. */
  readonly warnings: readonly string[];
  readonly totalResultsProcessed: number;
}

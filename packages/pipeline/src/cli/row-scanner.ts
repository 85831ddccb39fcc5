import type { PipelineConfig, StageConfig } from '../config.ts';
import { resolveStages } from '../config.ts';
import type { Pipeline, PipelineDependencies } from '../pipeline.ts';
import { createPipeline } from '../pipeline.ts';
import type { DecidedFinding, Policy, PolicyDecision } from '../policy.ts';
import { builtInPolicyRules, evaluatePolicies } from '../policy.ts';
import type { StageFactory } from '../registry.ts';
import { BUILT_IN_STAGES } from '../registry.ts';
import type { BackendSettings } from '../settings/backend-settings.ts';
import { createBackends } from '../settings/create-backends.ts';
import { similarity } from '../similarity.ts';
import type { Finding, FindingGroup, ScanInput, ScanResult, StageName } from '../types.ts';
import type { ScanRow } from './scan-row.ts';

/** The scores of a verdict that a stage gives. */
export const SCORE_NAMES = [
  'pii',
  'injection',
  'toxicity',
  'hallucination',
  'truth',
  'contamination',
] as const;

/** One of the scores of a verdict that a stage gives. */
export type ScoreName = (typeof SCORE_NAMES)[number];

/** 0 to 1, higher is worse; null where the stage is off. */
type VerdictScores = Readonly<Record<ScoreName, number | null>> & {
  /** 0 to 1, how alike text and context are; only for the task `sts`. */
  readonly similarity?: number;
};

/** What was found in a row's text; offsets are UTF-16 units. Not cut at any threshold. */
interface VerdictFinding {
  readonly stage: StageName;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Of truth findings: the index in the knowledge base. */
  readonly nugget?: number;
}

/** The answer to one row. */
export interface Verdict {
  readonly id: string | number;
  readonly scores: VerdictScores;
  readonly findings: readonly VerdictFinding[];
  /** By the built-in policy; only where it was asked for. */
  readonly verdict?: PolicyDecision['verdict'];
  /** Why it is blocked; only with a verdict that says so. */
  readonly reason?: string;
  /** Which stages did not look at everything; absent where all did. */
  readonly error?: string;
}

/** The answer to one row, with the findings that its verdict is made from, whatever their score. */
export interface ScannedRow {
  readonly verdict: Verdict;
  readonly decided: readonly DecidedFinding[];
}

/** What rows are scanned with. */
export interface RowScannerConfig {
  /** Which scores to give. Default: all that can be given. */
  readonly scores?: readonly ScoreName[];
  /** Stages with their options. A stage that an explicit list leaves out is off. */
  readonly pipeline?: PipelineConfig;
  /** Models that help the stages. Default: none. */
  readonly backends?: BackendSettings;
  /** What is known to be true, for `scores.truth`. */
  readonly knowledge?: readonly string[];
  /** What must not be repeated, for `scores.contamination`. */
  readonly protected?: readonly string[];
  /** Whether to judge each text by the built-in policy. Default: no. */
  readonly verdicts?: boolean;
  /** Findings below it are left out of the answers. Default 0. */
  readonly minScore?: number;
}

/** The configuration asks for a score that cannot be given. */
export class RowScannerError extends Error {
  override readonly name = 'RowScannerError';
}

const STAGE_OF: Readonly<Record<ScoreName, StageName>> = {
  pii: 'pii_scanner',
  injection: 'injection_scanner',
  toxicity: 'toxicity_scanner',
  hallucination: 'hallucination_detector',
  truth: 'output_truth_scanner',
  contamination: 'contamination_check',
};
/** These read the text alone; the others may look at what belongs to it as well. */
const TEXT_ALONE: readonly StageName[] = [
  'pii_scanner',
  'injection_scanner',
  'toxicity_scanner',
  'contamination_check',
];

/**
 * Makes the function that scans one row and gives its answer; see {@link createRowJudge}.
 *
 * @throws RowScannerError, PipelineConfigError when the configuration is wrong
 */
export function createRowScanner(config: RowScannerConfig): (row: ScanRow) => Promise<Verdict> {
  const judge = createRowJudge(config);
  return async (row) => (await judge(row)).verdict;
}

/**
 * Makes the function that scans one row: the text alone for personal data, injection, toxicity and
 * contamination; the text as a model's response, with prompt and context, for hallucination and truth.
 *
 * @param onBackendError told of each question that a back end failed to answer
 * @throws RowScannerError, PipelineConfigError when the configuration is wrong
 */
export function createRowJudge(
  config: RowScannerConfig,
  onBackendError: (error: unknown) => void = () => {},
): (row: ScanRow) => Promise<ScannedRow> {
  resolveStages(config.pipeline ?? {});
  const names = wantedScores(config);
  const backends = createBackends(config.backends ?? {});
  const stages = Object.fromEntries(TEXT_ALONE.map((name) => [name, readingTextAlone(name)]));
  const pipeline = pipelineOf(config, names, { ...backends, stages, onBackendError });
  const { minScore = 0, verdicts = false } = config;
  return async (row) => {
    const result = await pipeline.scan(toInput(row));
    const findings = result.findings.filter(isInText);
    const decision = verdicts ? decide(result, findings) : undefined;
    const { verdict, violation, findings: decided = [] } = decision ?? {};
    const answer = {
      id: row.id,
      scores: toScores(row, names, result, findings),
      findings: findings.filter(({ score }) => score >= minScore).map(toVerdictFinding),
      ...(verdict === undefined ? {} : { verdict }),
      ...(violation === undefined ? {} : { reason: violation.reason }),
      ...unfinishedOf(result),
    };
    return { verdict: answer, decided };
  };
}

const POLICY: Policy = { id: 'pol_builtin', name: 'Built-in policy', rules: builtInPolicyRules() };
/** From where the stages report by default; here they report all, and the policy flags all they report. */
const REPORTED_FROM: Readonly<Partial<Record<StageName, number>>> = {
  toxicity_scanner: 0.6,
  truth_scan: 0.7,
  output_truth_scanner: 0.7,
};

/** What a guard would say of the text. */
function decide(result: ScanResult, findings: readonly Finding[]): PolicyDecision {
  const isReported = ({ stage, score }: Finding | FindingGroup) =>
    score >= (REPORTED_FROM[stage] ?? 0);
  const seen = findings.filter(isReported);
  const omitted = result.omitted.filter(isReported);
  return evaluatePolicies([POLICY], { ...result, findings: seen, omitted }, { response: '' });
}

/** Makes a stage that scans the response and nothing else, so that one scan serves all stages. */
function readingTextAlone(name: StageName): StageFactory {
  return (options, path, dependencies) => {
    const stage = BUILT_IN_STAGES[name]?.(options, path, dependencies);
    if (stage === undefined) throw new RowScannerError(`${name}: unknown stage`);
    return { ...stage, targets: ['response'] };
  };
}

function wantedScores({ scores, pipeline, knowledge }: RowScannerConfig): ScoreName[] {
  const stages = pipeline?.stages;
  const isOn = (name: ScoreName): boolean => {
    const entry = stages?.find((stage) => stage.name === STAGE_OF[name]);
    return stages === undefined ? true : entry !== undefined && entry.enabled !== false;
  };
  const hasKnowledge =
    knowledge !== undefined || entryOf(pipeline, 'truth')?.options?.knowledge !== undefined;
  if (scores === undefined) {
    return SCORE_NAMES.filter((name) => isOn(name) && (name !== 'truth' || hasKnowledge));
  }
  for (const name of scores) {
    if (!isOn(name))
      throw new RowScannerError(`${name}: the stage is disabled in the configuration`);
    if (name === 'truth' && !hasKnowledge) {
      throw new RowScannerError('truth: no knowledge base is configured');
    }
  }
  return SCORE_NAMES.filter((name) => scores.includes(name));
}

function entryOf(pipeline: PipelineConfig | undefined, name: ScoreName): StageConfig | undefined {
  return pipeline?.stages?.find((stage) => stage.name === STAGE_OF[name]);
}

function pipelineOf(
  config: RowScannerConfig,
  names: readonly ScoreName[],
  dependencies: PipelineDependencies,
): Pipeline {
  const stages = names.map((name): StageConfig => {
    const entry = entryOf(config.pipeline, name) ?? { name: STAGE_OF[name] };
    return { ...entry, options: { ...uncut(name, config), ...entry.options } };
  });
  return createPipeline({ ...config.pipeline, stages }, dependencies);
}

/** What makes a stage report all it finds, and what it compares with. */
function uncut(
  name: ScoreName,
  { knowledge = [], protected: texts = [] }: RowScannerConfig,
): Readonly<Record<string, unknown>> {
  if (name === 'truth') return { knowledge, similarityThreshold: 0 };
  if (name === 'contamination') return { protected: texts };
  if (name === 'toxicity') return { minScore: 0 };
  return {};
}

/** The second sentence of an `sts` row is no source that the first should keep to. */
function toInput({ task, text, prompt, context }: ScanRow): ScanInput {
  return {
    response: text,
    ...(prompt === undefined ? {} : { prompt }),
    ...(context === undefined || task === 'sts' ? {} : { context: [context] }),
  };
}

function unfinishedOf({ stages }: ScanResult): { readonly error?: string } {
  const unfinished = stages.filter(({ status }) => status !== 'ok');
  if (unfinished.length === 0) return {};
  const names = unfinished.map(({ stage, status }) => `${stage} (${status})`);
  return { error: `not scanned to the end: ${names.join(', ')}` };
}

function isInText({ field }: Finding): boolean {
  return field === 'response';
}

function toScores(
  { task, text, context }: ScanRow,
  names: readonly ScoreName[],
  result: ScanResult,
  findings: readonly Finding[],
): VerdictScores {
  const scores = Object.fromEntries(
    SCORE_NAMES.map((name) => [name, names.includes(name) ? result.scores[name] : null]),
  ) as Record<ScoreName, number | null>;
  // Here the score says how sure it is that there is any; the combined risk is for policies.
  if (scores.pii !== null)
    scores.pii = mostCertain([...findings, ...result.omitted], 'pii_scanner');
  if (task !== 'sts' || context === undefined) return scores;
  return { ...scores, similarity: similarity(text, context) };
}

function mostCertain(findings: readonly (Finding | FindingGroup)[], stage: StageName): number {
  return findings.reduce(
    (most, finding) => (finding.stage === stage ? Math.max(most, finding.score) : most),
    0,
  );
}

function toVerdictFinding({ stage, type, start, end, score, nugget }: Finding): VerdictFinding {
  return { stage, type, start, end, score, ...(nugget === undefined ? {} : { nugget }) };
}

import { rememberClasses, rememberJudgments, rememberVectors } from './backends/remember.ts';
import type { Classifiers, Embedder, Judge, StageDependencies } from './backends/types.ts';
import type { PipelineRuntime } from './checkpoint.ts';
import { createRuntime } from './checkpoint.ts';
import type { PipelineConfig } from './config.ts';
import { resolveMaxFindings, resolveStages } from './config.ts';
import { ScanCanceledError } from './errors.ts';
import { createFindingList } from './finding-list.ts';
import { INPUT_MEMBERS, requireKnownMembers } from './known-members.ts';
import type { StageRegistry } from './registry.ts';
import { BUILT_IN_STAGES, buildStage } from './registry.ts';
import { forgetScannedTexts } from './scan-memory.ts';
import type { ConfiguredStage, StageOutcome } from './stage-runner.ts';
import { runStage } from './stage-runner.ts';
import { createBlocks } from './text/blocks.ts';
import type {
  Field,
  PreparedField,
  ScanInput,
  ScanResult,
  Scores,
  StageName,
  StageReport,
} from './types.ts';
import { isFinished } from './types.ts';

type Replaceable<Parts> = { readonly [Name in keyof Parts]?: Parts[Name] | undefined };

/** What an embedding program may replace or add. */
export interface PipelineDependencies extends Replaceable<PipelineRuntime> {
  /** Further stages, or others in place of the built-in ones. */
  readonly stages?: StageRegistry | undefined;
  /** Asked by the truth stages and `hallucination_detector` about claims they are unsure of. */
  readonly judge?: Judge | undefined;
  /** Used by the truth stages to find the statement that a claim is about. */
  readonly embedder?: Embedder | undefined;
  /** Read the texts after `injection_scanner` and `toxicity_scanner`, and may raise what these say. */
  readonly classifiers?: Classifiers | undefined;
  /** Told of each question that judge, embedder or classifier failed to answer; the scan goes on without. */
  readonly onBackendError?: ((error: unknown) => void) | undefined;
}

/** One immutable set of stages. To change the configuration, make another and swap the reference. */
export interface Pipeline {
  /** The enabled stages in the order in which they run. */
  readonly stages: readonly StageName[];
  /**
   * Scans one input. Stages run one after the other; short texts are scanned without giving up the
   * event loop, long ones give it up every few milliseconds.
   *
   * @throws TypeError when the input is not of the documented shape, or has an unknown member
   * @throws ScanCanceledError when `signal` aborts; no result is given then
   */
  scan(
    input: ScanInput,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ScanResult>;
}

/** So many take some milliseconds to put in order here, and again by whoever gets them. */
const MANY_FINDINGS = 1_000;

const SCORE_OF: Readonly<Partial<Record<StageName, keyof Scores>>> = Object.freeze({
  pii_scanner: 'pii',
  injection_scanner: 'injection',
  toxicity_scanner: 'toxicity',
  hallucination_detector: 'hallucination',
  truth_scan: 'truth',
  output_truth_scanner: 'truth',
  contamination_check: 'contamination',
});

/**
 * Makes a pipeline. The configuration is checked once, here, and then frozen.
 *
 * @throws PipelineConfigError naming the option at fault, also for an enabled stage that is not built
 */
export function createPipeline(
  config: PipelineConfig = {},
  dependencies: PipelineDependencies = {},
): Pipeline {
  const registry = { ...BUILT_IN_STAGES, ...dependencies.stages };
  const defaults = createRuntime();
  const runtime: PipelineRuntime = {
    now: dependencies.now ?? defaults.now,
    yieldToLoop: dependencies.yieldToLoop ?? defaults.yieldToLoop,
    startTimer: dependencies.startTimer ?? defaults.startTimer,
  };
  const maxFindings = resolveMaxFindings(config);
  const forStages = toStageDependencies(dependencies, runtime);
  const stages = resolveStages(config).map((stage) => ({
    config: stage,
    stage: buildStage(registry, stage.name, stage.options, forStages),
  }));
  return Object.freeze({
    stages: Object.freeze(stages.map(({ stage }) => stage.name)),
    scan: (input: ScanInput, options: { readonly signal?: AbortSignal | undefined } = {}) =>
      scanInput({ stages, maxFindings, runtime }, input, options.signal),
  });
}

function toStageDependencies(
  { judge, embedder, classifiers = {}, onBackendError = () => {} }: PipelineDependencies,
  { startTimer }: PipelineRuntime,
): StageDependencies {
  return Object.freeze({
    ...(judge === undefined ? {} : { judge: rememberJudgments(judge) }),
    ...(embedder === undefined ? {} : { embedder: rememberVectors(embedder) }),
    classifiers: Object.fromEntries(
      Object.entries(classifiers).map(([name, each]) => [name, rememberClasses(each)]),
    ),
    onBackendError,
    startTimer,
  });
}

interface PipelineParts {
  readonly stages: readonly ConfiguredStage[];
  readonly maxFindings: number;
  readonly runtime: PipelineRuntime;
}

async function scanInput(
  { stages, maxFindings, runtime }: PipelineParts,
  input: ScanInput,
  signal: AbortSignal | undefined,
): Promise<ScanResult> {
  const startedAt = runtime.now();
  const fields = prepareFields(input);
  const turn = { lastTurn: startedAt };
  const list = createFindingList(maxFindings);
  const outcomes: StageOutcome[] = [];
  try {
    for (const configured of stages) {
      if (signal?.aborted) throw canceled(stages, outcomes, signal);
      const seen = fields.filter(({ field }) => isRead(field, configured));
      const outcome = runStage(configured, { fields: seen, list, turn, signal }, runtime);
      outcomes.push(outcome instanceof Promise ? await outcome : outcome);
    }
  } finally {
    forgetScannedTexts();
  }
  if (signal?.aborted) throw canceled(stages, outcomes, signal);
  const { findings, omitted } = list.finish();
  if (findings.length > MANY_FINDINGS) await runtime.yieldToLoop();
  return {
    stages: toReports(stages, outcomes),
    findings,
    findingsTruncated: omitted.length > 0,
    omitted,
    ...mergeScores(stages, outcomes),
    durationMs: runtime.now() - startedAt,
  };
}

/** Whether a stage reads a field. */
function isRead(field: Field, { stage: { name, targets }, config }: ConfiguredStage): boolean {
  if (field !== 'system') return targets.includes(field);
  if (config.system !== undefined) return config.system;
  return targets.includes('system') || (targets.includes('prompt') && name !== 'injection_scanner');
}

function prepareFields(input: ScanInput): PreparedField[] {
  requireKnownMembers('scan', input, INPUT_MEMBERS);
  const fields: PreparedField[] = [];
  const add = (field: Field, text: unknown, contextIndex?: number): void => {
    if (typeof text !== 'string') throw new TypeError(`input.${field} must be a string`);
    const index = contextIndex === undefined ? {} : { contextIndex };
    fields.push({ field, ...index, text, blocks: createBlocks(text) });
  };
  if (input.prompt !== undefined) add('prompt', input.prompt);
  add('response', input.response);
  const { context } = input;
  if (context !== undefined && !Array.isArray(context)) {
    throw new TypeError('input.context must be a list of strings');
  }
  context?.forEach((text, index) => {
    add('context', text, index);
  });
  if (input.system !== undefined) add('system', input.system);
  return fields;
}

function mergeScores(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
): Pick<ScanResult, 'scores' | 'failedClosed'> {
  const scores: Record<keyof Scores, number | null> = {
    pii: null,
    injection: null,
    toxicity: null,
    hallucination: null,
    truth: null,
    contamination: null,
  };
  const failedClosed: StageName[] = [];
  stages.forEach(({ stage, config }, index) => {
    const { status, score } = outcomes[index] as StageOutcome;
    const key = SCORE_OF[stage.name];
    if (!isFinished(status) && !config.failOpen) failedClosed.push(stage.name);
    if (key !== undefined) scores[key] = larger(scores[key], score);
  });
  return { scores, failedClosed };
}

/** Two stages may share a score; the larger one counts. */
function larger(held: number | null, next: number | null): number | null {
  return held === null || next === null ? (held ?? next) : Math.max(held, next);
}

function toReports(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
): StageReport[] {
  return stages.map(({ stage }, index) => {
    const { status, durationMs } = outcomes[index] ?? { status: 'not_reached', durationMs: 0 };
    return { stage: stage.name, status, durationMs };
  });
}

function canceled(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
  signal: AbortSignal,
): ScanCanceledError {
  return new ScanCanceledError(toReports(stages, outcomes), signal.reason);
}

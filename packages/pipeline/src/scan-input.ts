import type { PipelineRuntime } from './checkpoint.ts';
import { isTurnDue } from './checkpoint.ts';
import { ScanCanceledError } from './errors.ts';
import { createFindingList } from './finding-list.ts';
import type { ScannedFields } from './kept-fields.ts';
import { keptFieldsOf } from './kept-fields.ts';
import { INPUT_MEMBERS, requireContext, requireKnownMembers, typeOf } from './known-members.ts';
import type { ScanMaterial } from './scan-material.ts';
import { forgetScannedTexts } from './scan-memory.ts';
import { factsOf, severityOf } from './stage-definition.ts';
import type { ConfiguredStage, StageOutcome } from './stage-runner.ts';
import { runStage } from './stage-runner.ts';
import { builtInStage, KNOWN_SCORES } from './stages.ts';
import { createBlocks } from './text/blocks.ts';
import type {
  Field,
  PreparedField,
  ScanInput,
  ScanResult,
  ScanSignal,
  Scores,
  StageFinding,
  StageName,
  StageReport,
} from './types.ts';
import { isFinished } from './unfinished.ts';

/** So many take some milliseconds to put in order here, and again by whoever gets them. */
const MANY_FINDINGS = 1_000;

/** A pipeline as its scans use it. */
export interface PipelineParts {
  readonly stages: readonly ConfiguredStage[];
  readonly maxFindings: number;
  readonly runtime: PipelineRuntime;
  /** Since when scans of this turn of the event loop compute; see `createTurnClock`. */
  readonly beginTurn: () => number;
}

/** How one input is scanned. */
export interface ScanInputOptions {
  readonly signal?: ScanSignal | undefined;
  readonly material?: ScanMaterial | undefined;
  readonly scanned?: ScannedFields | undefined;
}

/** Runs the stages over one input; see `Pipeline.scan`. */
export async function scanInput(
  { stages, maxFindings, runtime, beginTurn }: PipelineParts,
  input: ScanInput,
  { signal, material, scanned }: ScanInputOptions,
): Promise<ScanResult> {
  const startedAt = runtime.now();
  const fields = prepareFields(input);
  const turn = { lastTurn: beginTurn() };
  const list = createFindingList(maxFindings, severityIn(stages));
  const outcomes: StageOutcome[] = [];
  const kept = keptFieldsOf(scanned);
  if (isTurnDue(turn, startedAt)) {
    await runtime.yieldToLoop();
    turn.lastTurn = runtime.now();
  }
  try {
    for (const configured of stages) {
      if (signal?.aborted) throw canceled(stages, outcomes, signal);
      const seen = fields.filter(({ field }) => isRead(field, configured));
      const work = { fields: seen, list, turn, signal, material, kept };
      const outcome = runStage(configured, work, runtime);
      outcomes.push(outcome instanceof Promise ? await outcome : outcome);
    }
  } finally {
    forgetScannedTexts();
  }
  if (signal?.aborted) throw canceled(stages, outcomes, signal);
  const { findings, omitted } = list.finish();
  if (findings.length > MANY_FINDINGS) await runtime.yieldToLoop();
  const { scores, failedClosed } = mergeScores(stages, outcomes);
  return {
    stages: toReports(stages, outcomes),
    findings,
    findingsTruncated: omitted.length > 0,
    omitted,
    scores,
    failedClosed,
    durationMs: runtime.now() - startedAt,
  };
}

/** Whether a stage reads a field. */
function isRead(field: Field, { stage: { targets }, config }: ConfiguredStage): boolean {
  if (field !== 'system') return targets.includes(field);
  if (config.system !== undefined) return config.system;
  const readsWithPrompt = targets.includes('prompt') && config.definition.readsSystem;
  return targets.includes('system') || readsWithPrompt;
}

/** How severe a finding is among those of all stages, 0 to 1. */
function severityIn(stages: readonly ConfiguredStage[]) {
  const definitions = new Map(stages.map(({ stage, config }) => [stage.name, config.definition]));
  return (stage: StageName, finding: StageFinding): number =>
    severityOf(definitions.get(stage) ?? {}, finding);
}

function prepareFields(input: ScanInput): PreparedField[] {
  requireKnownMembers('scan', input, INPUT_MEMBERS);
  const fields: PreparedField[] = [];
  const add = (field: Field, text: unknown, contextIndex?: number): void => {
    if (typeof text !== 'string') {
      const at = contextIndex === undefined ? '' : `.${contextIndex}`;
      const isPromptAlone = field === 'response' && text === undefined && fields.length > 0;
      const hint = isPromptAlone ? "; give response: '' to scan a prompt alone" : '';
      throw new TypeError(`input.${field}${at} must be a string; got ${typeOf(text)}${hint}`);
    }
    const index = contextIndex === undefined ? {} : { contextIndex };
    fields.push({ field, ...index, text, blocks: createBlocks(text) });
  };
  if (input.prompt !== undefined) add('prompt', input.prompt);
  add('response', input.response);
  const { context } = input;
  if (context !== undefined) requireContext('input.context', context);
  [...(context ?? [])].forEach((text, index) => {
    add('context', text, index);
  });
  if (input.system !== undefined) add('system', input.system);
  return fields;
}

function mergeScores(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
): Pick<ScanResult, 'scores' | 'failedClosed'> {
  const scores: Record<string, number | null> = { ...NO_SCORES };
  const failedClosed: StageName[] = [];
  stages.forEach(({ stage, config }, index) => {
    const { status, score } = outcomes[index] as StageOutcome;
    const { score: key } = config.definition;
    if (!isFinished(status) && !config.failOpen) failedClosed.push(stage.name);
    scores[key] = larger(scores[key] ?? null, score);
  });
  return { scores: scores as Scores, failedClosed };
}

const NO_SCORES = Object.fromEntries(KNOWN_SCORES.map((name) => [name, null]));

/** Two stages may share a score; the larger one counts. */
function larger(held: number | null, next: number | null): number | null {
  return held === null || next === null ? (held ?? next) : Math.max(held, next);
}

const NOT_REACHED: StageOutcome = { status: 'not_reached', durationMs: 0, score: null };

function toReports(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
): StageReport[] {
  return stages.map(({ stage, config: { definition } }, index) => {
    const { status, durationMs, error } = outcomes[index] ?? NOT_REACHED;
    const ended = { stage: stage.name, status, durationMs };
    const report = error === undefined ? ended : { ...ended, error };
    const isOwn = builtInStage(definition.name) !== definition;
    return isOwn ? { ...report, facts: factsOf(definition) } : report;
  });
}

function canceled(
  stages: readonly ConfiguredStage[],
  outcomes: readonly StageOutcome[],
  signal: ScanSignal,
): ScanCanceledError {
  return new ScanCanceledError(toReports(stages, outcomes), signal.reason);
}

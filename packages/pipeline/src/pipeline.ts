import type {
  Classifier,
  Classifiers,
  Embedder,
  Judge,
  StageDependencies,
} from './backends/types.ts';
import type { PipelineRuntime } from './checkpoint.ts';
import { createRuntime, createTurnClock } from './checkpoint.ts';
import type { PipelineConfig, ResolvedStageConfig, StageConfig, StageValue } from './config.ts';
import { checkRecord, stageValue } from './config.ts';
import { didYouMean } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import type { ScannedFields } from './kept-fields.ts';
import { requireScannedFields } from './kept-fields.ts';
import { requireKnownMembers, requireSignal, typeOf } from './known-members.ts';
import { lazily } from './lazy.ts';
import type { StageRegistry } from './registry.ts';
import { buildStage } from './registry.ts';
import { resolveMaxFindings, resolveStages } from './resolve-stages.ts';
import type { ScanMaterial } from './scan-material.ts';
import { requireMaterial } from './scan-material.ts';
import { defaultSecretsStage } from './secrets/secrets-stage.ts';
import type { StageDefinition } from './stage-definition.ts';
import { BUILT_IN_STAGES, builtInStage } from './stages.ts';
import type { ScanInput, ScanResult, ScanSignal, StageName } from './types.ts';

type Replaceable<Parts> = { readonly [Name in keyof Parts]?: Parts[Name] | undefined };

/** What an embedding program may replace or add. */
export interface PipelineDependencies extends Replaceable<PipelineRuntime> {
  /** Others in place of stages of this package; a stage of your own is made by `defineStage`. */
  readonly stages?: StageRegistry | undefined;
  /** Asked by the truth stages and `hallucination_detector` about claims they are unsure of. */
  readonly judge?: Judge | undefined;
  /** Used by the truth stages to find the statement that a claim is about. */
  readonly embedder?: Embedder | undefined;
  /** Read the texts after `pii_scanner`, `injection_scanner` and `toxicity_scanner`, and may add findings. */
  readonly classifiers?: Classifiers | undefined;
  /**
   * The encoder of the tier `meaning`: judges again the texts that `toxicity_scanner` is not sure of. See
   * `createMeaningEncoder` of `@probity/pipeline/backends`.
   */
  readonly meaning?: Embedder | undefined;
  /** Told of each question that judge, embedder, classifier or encoder failed to answer; the scan goes on without. */
  readonly onBackendError?: ((error: unknown) => void) | undefined;
  /** Told of each error that a stage throws, with the stage's name; its status is then `failed`. */
  readonly onStageError?: ((error: unknown, stage: StageName) => void) | undefined;
}

/** How one input is scanned. */
export interface ScanOptions {
  readonly signal?: ScanSignal | undefined;
  /** What this scan compares with, beside what the options of the stages name. */
  readonly material?: ScanMaterial | undefined;
  /** What scans of the same texts have found; see `keepScannedFields`. */
  readonly scanned?: ScannedFields | undefined;
}

/** One immutable set of stages. To change the configuration, make another and swap the reference. */
export interface Pipeline {
  /** The enabled stages in the order in which they run. */
  readonly stages: readonly StageName[];
  /** What is known of them, in the same order; policies are checked against it. */
  readonly definitions: readonly StageDefinition[];
  /**
   * Scans one input. Stages run one after the other; short texts are scanned without giving up the
   * event loop, long ones give it up every few milliseconds, and so do many scans that begin at once.
   *
   * @throws TypeError when the input is not of the documented shape, or has an unknown member
   * @throws ScanCanceledError when `signal` aborts; no result is given then
   */
  scan(input: ScanInput, options?: ScanOptions): Promise<ScanResult>;
  /**
   * Loads the code and the weights of all stages, which the first scans would load. A program that
   * waits for it before it takes work has no slow first scan. Models of back ends are not loaded.
   *
   * @throws Error that names the weight file that is missing or damaged
   */
  preload(): Promise<void>;
}

const withScan = lazily(() => import('./scan-input.ts'));
const withMemory = lazily(() => import('./backends/remember.ts'));

/**
 * Makes a pipeline. The configuration is checked once, here, and then frozen.
 *
 * @example
 * const pipeline = createPipeline({ stages: [pii({ types: ['email'] }), injection(), myStage] });
 * @throws PipelineConfigError naming the option at fault, also for an enabled stage that is not built
 */
export function createPipeline(
  config: PipelineConfig = {},
  dependencies: PipelineDependencies = {},
): Pipeline {
  checkRecord('config', config);
  checkDependencies(dependencies);
  const defaults = createRuntime();
  const runtime: PipelineRuntime = {
    now: dependencies.now ?? defaults.now,
    yieldToLoop: dependencies.yieldToLoop ?? defaults.yieldToLoop,
    startTimer: dependencies.startTimer ?? defaults.startTimer,
  };
  const beginTurn = createTurnClock(runtime.now);
  const maxFindings = resolveMaxFindings(config);
  const forStages = toStageDependencies(dependencies, runtime);
  const { onStageError, stages: factories = {} } = dependencies;
  const stages = resolveStages(config).map((stage) => ({
    stage: buildStage(stage, factories, forStages),
    config: withOptions(stage),
    isBuiltIn: builtInStage(stage.name) !== undefined && !Object.hasOwn(factories, stage.name),
    onError: (error: unknown) => onStageError?.(error, stage.name),
  }));
  return Object.freeze({
    stages: Object.freeze(stages.map(({ stage }) => stage.name)),
    definitions: Object.freeze(stages.map(({ config: { definition } }) => definition)),
    async scan(input: ScanInput, options: ScanOptions = {}) {
      requireKnownMembers('scan', options, ['signal', 'material', 'scanned']);
      requireSignal('scan', options.signal);
      requireMaterial('scan', options.material);
      requireScannedFields('scan', options.scanned);
      const parts = { stages, maxFindings, runtime, beginTurn };
      return withScan(({ scanInput }) => scanInput(parts, input, options));
    },
    async preload() {
      await withScan(() => undefined);
      for (const { stage } of stages) {
        await stage.load?.();
        await runtime.yieldToLoop();
      }
    },
  });
}

/**
 * The stages of a guard, a host or a server without configured stages: the default stages of a pipeline and
 * `secrets_scanner`, whose findings flag.
 */
export function defaultStages(): ReadonlyArray<StageConfig | StageValue> {
  const stages = BUILT_IN_STAGES.filter(({ isDefault }) => isDefault).map(({ name }) => ({ name }));
  return [...stages, stageValue(defaultSecretsStage, {})];
}

/** The stage with what its options make of its definition. */
function withOptions(config: ResolvedStageConfig): ResolvedStageConfig {
  const { definition, options } = config;
  if (definition.withOptions === undefined) return config;
  const changed = definition.withOptions(options);
  if (Object.keys(changed).length === 0) return config;
  return { ...config, definition: Object.freeze({ ...definition, ...changed }) };
}

const FUNCTIONS: readonly (keyof PipelineDependencies)[] = [
  ...(['now', 'yieldToLoop', 'startTimer', 'onStageError', 'onBackendError'] as const),
];
const DEPENDENCIES = [...FUNCTIONS, 'stages', 'classifiers', 'judge', 'embedder', 'meaning'];

/** Names and functions alone: what a back end gives is checked at each answer. */
function checkDependencies(dependencies: PipelineDependencies): void {
  const given = checkRecord('dependencies', dependencies);
  const { stages, classifiers, judge, embedder, meaning } = given;
  for (const name of Object.keys(given)) {
    // Programs pass on objects that hold more, such as back ends with `close`.
    const guess = DEPENDENCIES.includes(name) ? '' : didYouMean(name, DEPENDENCIES);
    if (guess !== '') throw new PipelineConfigError(`dependencies.${name}`, `is unknown.${guess}`);
  }
  for (const name of FUNCTIONS) requireFunction(`dependencies.${name}`, given[name]);
  requireMethod('dependencies.judge', judge, 'judge');
  requireMethod('dependencies.embedder', embedder, 'embed');
  requireMethod('dependencies.meaning', meaning, 'embed');
  const replaceable = BUILT_IN_STAGES.map(({ name }) => name);
  const classified = BUILT_IN_STAGES.flatMap(({ name, classifier }) => (classifier ? [name] : []));
  if (stages !== undefined) requireNames('dependencies.stages', stages, replaceable);
  if (classifiers === undefined) return;
  requireNames('dependencies.classifiers', classifiers, classified);
  for (const [name, each] of Object.entries(classifiers as object)) {
    requireMethod(`dependencies.classifiers.${name}`, each, 'classify');
  }
}

function requireFunction(path: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new PipelineConfigError(path, `expected a function; got ${typeOf(value)}`);
}

function requireMethod(path: string, value: unknown, method: string): void {
  const given = value as Readonly<Record<string, unknown>> | null | undefined;
  if (given === undefined || typeof given?.[method] === 'function') return;
  const message = `expected an object with the method ${method}; got ${typeOf(value)}`;
  throw new PipelineConfigError(path, message);
}

function requireNames(path: string, value: unknown, known: readonly string[]): void {
  for (const name of Object.keys(checkRecord(path, value))) {
    if (known.includes(name)) continue;
    const message = `is none of ${known.join(', ')}.${didYouMean(name, known)}`;
    throw new PipelineConfigError(`${path}.${name}`, message);
  }
}

function toStageDependencies(
  { judge, embedder, meaning, classifiers = {}, onBackendError = () => {} }: PipelineDependencies,
  { startTimer }: PipelineRuntime,
): StageDependencies {
  return Object.freeze({
    ...(judge === undefined ? {} : { judge: rememberingJudge(judge) }),
    ...(embedder === undefined ? {} : { embedder: rememberingEmbedder(embedder) }),
    ...(meaning === undefined ? {} : { meaning: rememberingEmbedder(meaning) }),
    classifiers: Object.fromEntries(
      Object.entries(classifiers).map(([name, each]) => [name, rememberingClassifier(each)]),
    ),
    onBackendError,
    startTimer,
  });
}

function rememberingJudge(judge: Judge): Judge {
  let made: Judge | undefined;
  return {
    judge: async (...question) =>
      withMemory(({ rememberJudgments }) => {
        made ??= rememberJudgments(judge);
        return made.judge(...question);
      }),
  };
}

function rememberingEmbedder(embedder: Embedder): Embedder {
  let made: Embedder | undefined;
  return {
    embed: async (...texts) =>
      withMemory(({ rememberVectors }) => {
        made ??= rememberVectors(embedder);
        return made.embed(...texts);
      }),
  };
}

function rememberingClassifier(classifier: Classifier): Classifier {
  let made: Classifier | undefined;
  return {
    classify: async (...texts) =>
      withMemory(({ rememberClasses }) => {
        made ??= rememberClasses(classifier);
        return made.classify(...texts);
      }),
  };
}

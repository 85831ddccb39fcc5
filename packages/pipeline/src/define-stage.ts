import type { StageDependencies } from './backends/types.ts';
import type { StageSettings, StageValue } from './config.ts';
import { checkRecord, show, stageValue } from './config.ts';
import { expectedOneOf } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import { lazily } from './lazy.ts';
import type { PolicyAction, ViolationCode } from './policy-types.ts';
import type { FindingSeverity, StageDefinition, StageRule, StageRun } from './stage-definition.ts';
import { BUILT_IN_STAGES, STAGE_NAMES } from './stages.ts';
import type { Field, StageContext, StageFinding } from './types.ts';

/** A finding of a stage of one's own; without a `reason` it is `found TYPE`. */
export type OwnFinding = Omit<StageFinding, 'reason'> & { readonly reason?: string };

/** What a stage of one's own sees while it runs. */
export interface OwnStageContext<Options> extends Omit<StageContext, 'report'> {
  /** What `options` made of the given ones; without it the given ones. */
  readonly options: Options;
  /** The back ends of the pipeline. */
  readonly dependencies: StageDependencies | undefined;
  /**
   * Reports a finding as soon as it is made. The score of the stage becomes the largest one reported,
   * unless the stage sets another.
   *
   * @throws TypeError when the finding has another type, field, range or score than the stage may report
   */
  report(finding: OwnFinding): void;
}

/** A stage of one's own. */
export interface OwnStage<Options = Readonly<Record<string, unknown>>> {
  /** Lower-case letters, digits and underscores, at most 64; no name of a stage of this package. */
  readonly name: string;
  /** The member of `scores`, of the same form; default the name. */
  readonly score?: string | undefined;
  /** Every type that it may report, of the same form. */
  readonly types: readonly string[];
  /** The fields that it reads. */
  readonly reads: readonly Field[];
  /**
   * Checks the options that `with` or settings give, and returns what `run` gets; called once, when a
   * pipeline is made. Without it every option is passed on as it is.
   *
   * @throws Error whose message says what is wrong; the pipeline names the place
   */
  readonly options?: ((given: Readonly<Record<string, unknown>>) => Options) | undefined;
  /** How much harm a finding of a type does, 0 to 1, for policies; default 1. */
  readonly risks?: Readonly<Record<string, number>> | undefined;
  /** The code of the violation where a policy blocks. Default `POLICY_BLOCKED`. */
  readonly code?: ViolationCode | undefined;
  /** Its rules in the built-in policy. Default: every finding flags. */
  readonly rules?: readonly StageRule[] | undefined;
  /** Severity of alerts for its findings. Default `medium`. */
  readonly severity?: FindingSeverity | undefined;
  /** Called once a scan. A promise is awaited, at most as long as the stage's time. */
  run(context: OwnStageContext<Options>): void | Promise<void>;
  /** Loads what the first text would load; called by the pipeline's `preload`. */
  load?(options: Options): void | Promise<void>;
}

/** A stage made by `defineStage`: used as it is, or with settings and options. */
export interface DefinedStage extends StageValue {
  /** The same stage with other settings and options. */
  with(given: StageSettings & Readonly<Record<string, unknown>>): StageValue;
}

const MEMBERS = [
  ...[
    'name',
    'score',
    'types',
    'reads',
    'options',
    'risks',
    'code',
    'rules',
    'severity',
    'run',
    'load',
  ],
];
const FIELDS: readonly Field[] = ['prompt', 'response', 'context', 'system'];
const CODES: readonly ViolationCode[] = [
  ...(['INJECTION_ATTEMPT_DETECTED', 'PII_DETECTED', 'POLICY_BLOCKED'] as const),
];
const SEVERITIES: readonly FindingSeverity[] = ['low', 'medium', 'high', 'critical'];
const ACTIONS: readonly PolicyAction[] = ['allow', 'flag', 'redact', 'block'];
const SCORES: readonly string[] = BUILT_IN_STAGES.map(({ score }) => score);
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const NAME_FORM = 'lower-case letters, digits and underscores, at most 64, a letter first';

const withRun = lazily(() => import('./own-stage-run.ts'));

/**
 * Makes a stage of one's own, for `createPipeline({ stages: [pii(), myStage] })` and, as the default
 * export of a module, for settings files.
 *
 * @example
 * const badges = defineStage({
 *   name: 'badge_scanner',
 *   types: ['badge_number'],
 *   reads: ['prompt', 'response'],
 *   run({ fields, report }) {
 *     for (const { field, text } of fields) {
 *       for (const { index: start, 0: badge } of text.matchAll(/\\bB-\\d{6}\\b/g)) {
 *         report({ type: 'badge_number', score: 0.9, field, start, end: start + badge.length });
 *       }
 *     }
 *   },
 * });
 * @throws PipelineConfigError naming the member at fault
 */
export function defineStage<Options = Readonly<Record<string, unknown>>>(
  stage: OwnStage<Options>,
): DefinedStage {
  const definition = toDefinition(stage);
  return Object.freeze({
    ...stageValue(definition, {}),
    with: (given: StageSettings & Readonly<Record<string, unknown>>) =>
      stageValue(definition, given),
  });
}

function toDefinition<Options>(stage: OwnStage<Options>): StageDefinition {
  const given = checkRecord('defineStage', stage, new Set(MEMBERS));
  const name = checkName('name', given.name, 'stage', STAGE_NAMES);
  const score = checkName('score', given.score ?? name, 'score', SCORES);
  const reads = checkChoices('reads', given.reads, FIELDS);
  const types = checkTypes(given.types);
  if (typeof given.run !== 'function') throw fault('run', 'a function', given.run);
  if (given.load !== undefined && typeof given.load !== 'function') {
    throw fault('load', 'a function', given.load);
  }
  const check = given.options;
  if (check !== undefined && typeof check !== 'function') {
    throw fault('options', 'a function', check);
  }
  const { severity: otherwise = 'medium', code = 'POLICY_BLOCKED' } = stage;
  requireOneOf('severity', otherwise, SEVERITIES);
  requireOneOf('code', code, CODES);
  const risks = given.risks === undefined ? undefined : checkRisks(given.risks, types);
  return Object.freeze({
    name,
    score,
    types,
    reads,
    readsSystem: reads.includes('system'),
    isDefault: false,
    scoring: 'findings',
    isScoreJudged: true,
    ...(risks && { risks }),
    code,
    rules: checkRules(given.rules ?? [{ action: 'flag' }], types),
    severities: Object.freeze({ otherwise }),
    compares: false,
    create: (options, path, dependencies) => {
      const checked = checkOptions(stage, options, path);
      const run: StageRun = (context) =>
        withRun(({ runOwnStage }) => runOwnStage(stage, checked, dependencies, context));
      const load = async () => {
        await withRun(() => undefined);
        await stage.load?.(checked);
      };
      return Object.assign(run, { load });
    },
  } satisfies StageDefinition);
}

function checkOptions<Options>(
  { options: check }: OwnStage<Options>,
  given: Readonly<Record<string, unknown>>,
  path: string,
): Options {
  if (check === undefined) return given as Options;
  try {
    return check(given);
  } catch (error) {
    if (error instanceof PipelineConfigError) throw error;
    throw new PipelineConfigError(path, (error as Error | undefined)?.message ?? String(error));
  }
}

function checkName(member: string, value: unknown, what: string, taken: readonly string[]): string {
  if (typeof value !== 'string' || !NAME.test(value)) throw fault(member, NAME_FORM, value);
  if (!taken.includes(value)) return value;
  const message = `${value} is a ${what} of this package; choose another name`;
  throw new PipelineConfigError(`defineStage.${member}`, message);
}

function checkTypes(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw fault('types', 'a list of at least one type', value);
  }
  [...value].forEach((type: unknown, index) => {
    const isType = typeof type === 'string' && NAME.test(type);
    if (!isType) throw fault(`types.${index}`, NAME_FORM, type);
  });
  return Object.freeze([...new Set<string>(value)]);
}

function checkChoices<Choice extends string>(
  member: string,
  value: unknown,
  known: readonly Choice[],
): readonly Choice[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw fault(member, `a list of at least one of ${known.join(', ')}`, value);
  }
  [...value].forEach((item: unknown, index) => {
    requireOneOf(`${member}.${index}`, item, known);
  });
  return Object.freeze(known.filter((choice) => value.includes(choice)));
}

function checkRisks(value: unknown, types: readonly string[]): Readonly<Record<string, number>> {
  const risks = checkRecord('defineStage.risks', value, new Set(types));
  for (const [type, risk] of Object.entries(risks)) {
    const isShare = typeof risk === 'number' && risk >= 0 && risk <= 1;
    if (!isShare) throw fault(`risks.${type}`, 'a number from 0 to 1', risk);
  }
  return risks as Readonly<Record<string, number>>;
}

function checkRules(value: unknown, known: readonly string[]): readonly StageRule[] {
  if (!Array.isArray(value)) throw fault('rules', 'a list of rules', value);
  return Object.freeze(
    [...value].map((rule: unknown, index) => {
      const at = `rules.${index}`;
      const allowed = new Set(['types', 'threshold', 'action']);
      const { types, threshold, action } = checkRecord(`defineStage.${at}`, rule, allowed);
      requireOneOf(`${at}.action`, action, ACTIONS);
      if (types !== undefined) checkChoices(`${at}.types`, types, known);
      const isShare = typeof threshold === 'number' && threshold >= 0 && threshold <= 1;
      if (threshold !== undefined && !isShare) {
        throw fault(`${at}.threshold`, 'a number from 0 to 1', threshold);
      }
      return Object.freeze({ ...(rule as StageRule) });
    }),
  );
}

function requireOneOf(member: string, value: unknown, known: readonly string[]): void {
  if (known.some((name) => name === value)) return;
  throw new PipelineConfigError(`defineStage.${member}`, expectedOneOf(known, value, show(value)));
}

function fault(member: string, expected: string, value: unknown): PipelineConfigError {
  return new PipelineConfigError(
    `defineStage.${member}`,
    `expected ${expected}; got ${show(value)}`,
  );
}

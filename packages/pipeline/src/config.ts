import { PipelineConfigError } from './errors.ts';
import { isStageName, STAGE_NAMES } from './stages.ts';
import type { StageName } from './types.ts';

/** One stage of the pipeline, in the order in which stages run. */
export interface StageConfig {
  readonly name: StageName;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /**
   * What follows when the stage fails or takes too long: true (default) goes on with what it found
   * until then, and policies flag the input at least; false blocks it.
   */
  readonly failOpen?: boolean | undefined;
  /** Budget of the stage's own time for one scan, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether the stage reads system text. Default: what reads the prompt does, except for
   * `injection_scanner`, since orders to a model are what a system prompt is made of.
   */
  readonly system?: boolean | undefined;
  /** Options of the stage itself, checked by the stage when the pipeline is made. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Configuration of a pipeline. Without `stages`: those that need no options, with defaults. */
export interface PipelineConfig {
  readonly stages?: readonly StageConfig[] | undefined;
  /** How many findings a scan lists, over all stages. Default 10,000. */
  readonly maxFindings?: number | undefined;
}

/** A stage's configuration with every default filled in. */
export interface ResolvedStageConfig {
  readonly name: StageName;
  readonly failOpen: boolean;
  readonly timeoutMs: number;
  /** Undefined for the stage's own rule. */
  readonly system: boolean | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_FINDINGS = 10_000;
const DEFAULT_STAGES: readonly StageConfig[] = [
  { name: 'pii_scanner' },
  { name: 'injection_scanner' },
  { name: 'toxicity_scanner' },
  { name: 'hallucination_detector' },
];
const STAGE_KEYS: ReadonlySet<string> = new Set([
  'name',
  'enabled',
  'failOpen',
  'timeoutMs',
  'system',
  'options',
]);

/**
 * Checks a configuration and returns its enabled stages, defaults filled in.
 *
 * @throws PipelineConfigError naming the first option at fault
 */
export function resolveStages(config: PipelineConfig): readonly ResolvedStageConfig[] {
  checkRecord('config', config, new Set(['stages', 'maxFindings']));
  const stages: unknown = config.stages ?? DEFAULT_STAGES;
  if (!Array.isArray(stages)) throw new PipelineConfigError('stages', 'expected a list');
  const seen = new Set<StageName>();
  const resolved: ResolvedStageConfig[] = [];
  stages.forEach((entry: unknown, index) => {
    const path = `stages[${index}]`;
    const stage = checkRecord(path, entry, STAGE_KEYS);
    const name = checkName(path, stage.name, seen);
    const enabled = checkBoolean(`${path}.enabled`, stage.enabled ?? true);
    const failOpen = checkBoolean(`${path}.failOpen`, stage.failOpen ?? true);
    const timeoutMs = checkTimeout(`${path}.timeoutMs`, stage.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const system =
      stage.system === undefined ? undefined : checkBoolean(`${path}.system`, stage.system);
    const options = checkRecord(`${path}.options`, stage.options ?? {});
    if (enabled) resolved.push(Object.freeze({ name, failOpen, timeoutMs, system, options }));
  });
  return Object.freeze(resolved);
}

/**
 * Checks `maxFindings` and fills in its default.
 *
 * @throws PipelineConfigError when it is no whole number from 1 to 1,000,000
 */
export function resolveMaxFindings({ maxFindings = DEFAULT_MAX_FINDINGS }: PipelineConfig): number {
  if (Number.isInteger(maxFindings) && maxFindings >= 1 && maxFindings <= 1_000_000) {
    return maxFindings;
  }
  throw new PipelineConfigError(
    'maxFindings',
    `expected a whole number from 1 to 1,000,000; got ${show(maxFindings)}`,
  );
}

function checkName(path: string, name: unknown, seen: Set<StageName>): StageName {
  if (!isStageName(name)) {
    const known = STAGE_NAMES.join(', ');
    throw new PipelineConfigError(`${path}.name`, `expected one of ${known}; got ${show(name)}`);
  }
  if (seen.has(name)) throw new PipelineConfigError(`${path}.name`, `${name} is listed twice`);
  seen.add(name);
  return name;
}

function checkTimeout(path: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new PipelineConfigError(
    path,
    `expected milliseconds above 0 and below 2^31; got ${show(value)}`,
  );
}

/** Checks that `value` is an object that has only `allowed` keys, where given. */
export function checkRecord(
  path: string,
  value: unknown,
  allowed?: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PipelineConfigError(path, `expected an object; got ${show(value)}`);
  }
  for (const key of Object.keys(value)) {
    if (allowed !== undefined && !allowed.has(key)) {
      const known = [...allowed].join(', ');
      throw new PipelineConfigError(`${path}.${key}`, `unknown option; known are ${known}`);
    }
  }
  return Object.freeze({ ...value });
}

/** Checks that `value` is true or false. */
function checkBoolean(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new PipelineConfigError(path, `expected true or false; got ${show(value)}`);
}

/**
 * Reads an object of switches, each true unless set to false, into the set of those that are on.
 */
export function checkSwitches<T extends string>(
  path: string,
  value: unknown,
  names: readonly T[],
): ReadonlySet<T> {
  const switches = checkRecord(path, value ?? {}, new Set(names));
  return new Set(names.filter((name) => checkBoolean(`${path}.${name}`, switches[name] ?? true)));
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}

import { didYouMean, expectedOneOf } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import type { StageDefinition } from './stage-definition.ts';
import type { BuiltInStageName } from './stage-names.ts';
import type { StageName } from './types.ts';

/** How the pipeline runs a stage. */
export interface StageSettings {
  /**
   * What follows when the stage fails or takes too long: true (default) goes on with what it found
   * until then, and policies flag the input at least; false blocks it.
   */
  readonly failOpen?: boolean | undefined;
  /** Budget of the stage's own time for one scan, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether the stage reads system text. Default: what reads the prompt does, except for
   * `injection_scanner`, since orders to a model are what a system prompt is made of; a stage made by
   * `defineStage` does where its `reads` say so.
   */
  readonly system?: boolean | undefined;
}

/** One stage of this package by its name, as configurations in JSON have it. */
export interface StageConfig extends StageSettings {
  readonly name: BuiltInStageName;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /** Options of the stage itself, checked by the stage when the pipeline is made. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** A stage with its options, as `pii()`, `injection()` and `defineStage()` return it. Immutable. */
export interface StageValue extends StageSettings {
  readonly name: string;
  readonly definition: StageDefinition;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Configuration of a pipeline. */
export interface PipelineConfig {
  /**
   * The stages in the order in which they run: values, or names with options. Default: personal data,
   * injection, toxicity and hallucination, without options.
   */
  readonly stages?: readonly (StageConfig | StageValue)[] | undefined;
  /** How many findings a scan lists, over all stages. Default 10,000. */
  readonly maxFindings?: number | undefined;
}

/** A stage's configuration with every default filled in. */
export interface ResolvedStageConfig {
  readonly name: StageName;
  readonly definition: StageDefinition;
  readonly failOpen: boolean;
  readonly timeoutMs: number;
  /** Undefined for the stage's own rule. */
  readonly system: boolean | undefined;
  readonly options: Readonly<Record<string, unknown>>;
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
      const guess = didYouMean(key, [...allowed]);
      const message = `unknown option; known are ${known}.${guess}`;
      throw new PipelineConfigError(`${path}.${key}`, message);
    }
  }
  return Object.freeze({ ...value });
}

/** Checks that `value` is true or false. */
export function checkBoolean(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new PipelineConfigError(path, `expected true or false; got ${show(value)}`);
}

/** Switches of the types of a stage: those that are on, or an object with the others set to false. */
export type TypeSwitches<Type extends string> =
  | readonly Type[]
  | { readonly [Name in Type]?: boolean | undefined };

/**
 * Reads switches into the set of types that are on: a list names them all; in an object, those of
 * `defaults` are on unless set to false, and others where set to true.
 */
export function checkSwitches<T extends string>(
  path: string,
  value: unknown,
  names: readonly T[],
  defaults: readonly T[] = names,
): ReadonlySet<T> {
  if (Array.isArray(value)) return checkTypeList(path, value, names);
  const switches = checkRecord(path, value === undefined ? {} : value, new Set(names));
  const isOn = (name: T) => {
    const { [name]: on = defaults.includes(name) } = switches;
    return checkBoolean(`${path}.${name}`, on);
  };
  return new Set(names.filter(isOn));
}

function checkTypeList<T extends string>(
  path: string,
  value: readonly unknown[],
  names: readonly T[],
): ReadonlySet<T> {
  [...value].forEach((type, index) => {
    if (names.some((name) => name === type)) return;
    throw new PipelineConfigError(`${path}[${index}]`, expectedOneOf(names, type, show(type)));
  });
  return new Set(names.filter((name) => value.includes(name)));
}

/** A value as errors show it, at most 60 characters. */
export function show(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 60) ?? String(value);
  } catch {
    // A bigint, or an object that holds itself.
    return typeof value;
  }
}

/**
 * A stage with settings and options, which stand side by side in `given`. The options are checked when
 * a pipeline is made with the stage.
 *
 * @throws PipelineConfigError when `given` is no object
 */
export function stageValue(definition: StageDefinition, given: StageSettings & object): StageValue {
  const { failOpen, timeoutMs, system, ...options } = checkRecord(definition.name, given);
  const settings = { failOpen, timeoutMs, system } as StageSettings;
  const isSet = Object.values(options).some((value) => value !== undefined);
  return Object.freeze({
    name: definition.name,
    definition,
    ...settings,
    ...(isSet && { options: Object.freeze(options) }),
  });
}

import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import type { PipelineConfig, StageConfig, StageSettings, StageValue } from '../config.ts';
import { checkRecord, show } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { isDefinition } from '../resolve-stages.ts';

/** A stage of one's own in settings: the default export of a module, made by `defineStage`. */
export interface ModuleStageConfig extends StageSettings {
  /** The name that the module defines. */
  readonly name: string;
  /** Absolute path of the module. */
  readonly module: string;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** A configuration of a pipeline as plain data, which may be sent to a thread. */
export interface PipelineData extends Omit<PipelineConfig, 'stages'> {
  readonly stages?: readonly (StageConfig | ModuleStageConfig)[] | undefined;
}

/**
 * Finds the module of an entry of `stages`: a path relative to `folder`, or a package in one of its
 * `node_modules`. Nothing is loaded.
 *
 * @throws PipelineConfigError when there is none
 */
export function findModule(specifier: unknown, path: string, folder: string): string {
  if (typeof specifier !== 'string' || specifier === '') {
    const expected = 'expected the path of a module, such as "./my-stage.js"';
    throw new PipelineConfigError(path, `${expected}; got ${show(specifier)}`);
  }
  const isPath = specifier.startsWith('.') || isAbsolute(specifier);
  const wanted = isPath ? resolve(folder, specifier) : specifier;
  try {
    return createRequire(join(folder, 'settings.json')).resolve(wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = isPath
      ? `there is no file ${wanted}`
      : `there is no package ${wanted} in ${folder}`;
    throw new PipelineConfigError(
      path,
      `${what}${code === 'MODULE_NOT_FOUND' ? '' : ` (${code})`}`,
    );
  }
}

/**
 * Loads the modules that a configuration names.
 *
 * @throws PipelineConfigError naming the entry and the module at fault
 */
export function loadStageModules({ stages, ...config }: PipelineData): PipelineConfig {
  if (stages === undefined) return config;
  // What is no list is for the pipeline to refuse.
  return { ...config, stages: Array.isArray(stages) ? stages.map(loadEntry) : (stages as never) };
}

function loadEntry(
  entry: StageConfig | ModuleStageConfig,
  index: number,
): StageConfig | StageValue {
  if (typeof entry !== 'object' || entry === null || !('module' in entry)) return entry;
  const { module, ...config } = entry;
  const path = `stages[${index}]`;
  const { definition, options: own } = load(module, `${path}.module`);
  if (config.name !== definition.name) {
    const message = `${module} defines the stage ${definition.name}; got ${show(config.name)}`;
    throw new PipelineConfigError(`${path}.name`, message);
  }
  const given = checkRecord(`${path}.options`, config.options ?? {});
  return { ...config, definition, options: { ...own, ...given } };
}

function load(file: string, path: string): StageValue {
  const loaded = requireModule(file, path);
  const value = 'default' in loaded ? loaded.default : loaded;
  if (isStageValue(value)) return value;
  const got = 'default' in loaded ? `; got ${typeof value}` : '';
  const what = 'default' in loaded ? 'the default export of' : 'there is no default export in';
  const message = `${what} ${file}${'default' in loaded ? ' is no stage' : ''}`;
  throw new PipelineConfigError(path, `${message}: export default defineStage({ ... })${got}`);
}

/** By require, which loads modules of both kinds at once: settings are read before anything runs. */
function requireModule(file: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const loaded: unknown = createRequire(file)(file);
    const isObject = typeof loaded === 'object' && loaded !== null;
    return isObject ? (loaded as Record<string, unknown>) : { default: loaded };
  } catch (error) {
    const { code, message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
    const why =
      code === 'ERR_REQUIRE_ASYNC_MODULE'
        ? 'it has an await at its top level'
        : String(message).split('\n')[0];
    throw new PipelineConfigError(path, `cannot load ${file}: ${why}`);
  }
}

function isStageValue(value: unknown): value is StageValue {
  const { definition } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isDefinition(definition);
}

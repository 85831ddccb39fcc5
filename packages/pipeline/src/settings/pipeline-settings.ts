import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { StageConfig } from '../config.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import type { Pipeline, PipelineDependencies } from '../pipeline.ts';
import { createPipeline, defaultStages } from '../pipeline.ts';
import { STAGE_KEYS } from '../resolve-stages.ts';
import { BUILT_IN_STAGES } from '../stages.ts';
import type { BackendSettings, Environment, SettingsPlace } from './backend-settings.ts';
import { parseBackendSettings } from './backend-settings.ts';
import { createBackends } from './create-backends.ts';
import type { PipelineData } from './stage-modules.ts';
import { findModule, loadStageModules } from './stage-modules.ts';

/** A pipeline and its back ends as plain data. */
export interface PipelineSettings {
  readonly pipeline: PipelineData;
  readonly backends: BackendSettings;
}

/** Options of stages that may name a JSON file with the list. */
const LISTS: ReadonlySet<string> = new Set(BUILT_IN_STAGES.flatMap(({ lists = [] }) => lists));

/**
 * Reads the settings of a pipeline: its configuration (`stages`, `maxFindings`), where lists of
 * statements and texts may be in files of their own and a stage may name its `module`, and `backends`.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function parsePipelineSettings(value: unknown, place: SettingsPlace): PipelineSettings {
  const allowed = new Set(['stages', 'maxFindings', 'backends']);
  const { backends, ...pipeline } = checkRecord('config', value, allowed);
  const { stages } = pipeline;
  // The pipeline checks all of it when it is made.
  const config: PipelineData = Array.isArray(stages)
    ? { ...pipeline, stages: stages.map((stage, at) => fillIn(stage, at, place) as StageConfig) }
    : pipeline;
  return {
    pipeline: config,
    backends: backends === undefined ? {} : parseBackendSettings(backends, place),
  };
}

/**
 * Reads the settings of a pipeline from a JSON file and checks all of them, by making the pipeline.
 * Paths in it are relative to its folder, and `${NAME}` as the value of a back end's key stands for an
 * environment variable.
 *
 * @throws PipelineConfigError naming the file or the option at fault
 */
export function readPipelineSettings(path: string, env: Environment): PipelineSettings {
  const place = { env, folder: dirname(resolve(path)) };
  const settings = parsePipelineSettings(readJson('config', path), place);
  createConfiguredPipeline(settings);
  return settings;
}

/**
 * Makes a pipeline with the back ends that its settings name; the default one without settings. Its `preload` loads
 * local models as well, and throws a PipelineConfigError that names a back end that cannot be used.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createConfiguredPipeline(
  settings: PipelineSettings | null,
  dependencies: PipelineDependencies = {},
): Pipeline {
  if (settings !== null) checkRecord('settings', settings, new Set(['pipeline', 'backends']));
  const { pipeline, backends } = settings ?? { pipeline: {}, backends: {} };
  const { close: _, load, ...made } = createBackends(backends);
  const { judge = made.judge, embedder = made.embedder } = dependencies;
  const { classifiers = made.classifiers, meaning = made.meaning } = dependencies;
  const config = loadStageModules(pipeline);
  const configured = createPipeline(
    { ...config, stages: config.stages ?? defaultStages() },
    { ...dependencies, judge, embedder, classifiers, meaning },
  );
  const preload = async () => {
    await configured.preload();
    await load();
  };
  return Object.freeze({ ...configured, preload });
}

/** Everything else about a stage is for the pipeline to check. */
function fillIn(given: unknown, index: number, { folder }: SettingsPlace): unknown {
  const { module, ...stage } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof given === 'object' && given !== null) {
    checkRecord(`stages[${index}]`, given, new Set([...STAGE_KEYS, 'module']));
  }
  const file =
    module === undefined ? {} : { module: findModule(module, `stages[${index}].module`, folder) };
  const { name, options } = stage;
  if (typeof given !== 'object' || given === null) return given;
  const hasOptions = typeof options === 'object' && options !== null && !Array.isArray(options);
  if (!hasOptions) return { ...stage, ...file };
  const entries = Object.entries(options).map(([key, value]: [string, unknown]) => {
    const path = `stages.${String(name)}.options.${key}`;
    return [key, module === undefined ? readList(value, key, path, folder) : value];
  });
  return { ...stage, ...file, options: Object.fromEntries(entries) };
}

/** What a list is given by: itself, its file, or entries of which members are lists. */
function readList(value: unknown, key: string, path: string, folder: string): unknown {
  if (LISTS.has(key) && typeof value === 'string') return readJson(path, resolve(folder, value));
  if (!Array.isArray(value) || ![...LISTS].some((list) => list.startsWith(`${key}.`))) return value;
  return value.map((entry: unknown, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    const members = Object.entries(entry).map(([name, member]: [string, unknown]) => [
      name,
      readList(member, `${key}.${name}`, `${path}[${index}].${name}`, folder),
    ]);
    return Object.fromEntries(members);
  });
}

function readJson(option: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PipelineConfigError(option, `cannot read ${path}${code ? ` (${code})` : ''}`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ');
    throw new PipelineConfigError(option, `${path} is not valid JSON: ${why}`);
  }
}

import { resolve } from 'node:path';
import type { OpenAiEmbedderOptions } from '../backends/openai-embedder.ts';
import type { OpenAiJudgeOptions } from '../backends/openai-judge.ts';
import { checkRecord } from '../config.ts';
import { didYouMean } from '../did-you-mean.ts';
import { PipelineConfigError } from '../errors.ts';
import type { MeaningEncoderOptions } from '../meaning/meaning-encoder.ts';
import { MEANING_OPTION_NAMES } from '../meaning/meaning-encoder.ts';
import type { OnnxClassifierOptions } from '../onnx/onnx-classifier.ts';
import type { OnnxEmbedderOptions } from '../onnx/onnx-embedder.ts';
import type { OnnxJudgeOptions } from '../onnx/onnx-judge.ts';
import { ONNX_OPTION_NAMES } from '../onnx/options.ts';
import type { ClassifiedStage } from '../stage-names.ts';
import { BUILT_IN_STAGES } from '../stages.ts';

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the settings stand. */
export interface SettingsPlace {
  /** What `${NAME}` is replaced by. */
  readonly env: Environment;
  /** What relative paths are relative to. */
  readonly folder: string;
}

/** Back ends as plain data: it may be sent to a thread. It holds the keys of servers. */
export interface BackendSettings {
  readonly judge?:
    | ({ readonly kind: 'openai' } & OpenAiJudgeOptions)
    | ({ readonly kind: 'onnx' } & OnnxJudgeOptions);
  readonly embedder?:
    | ({ readonly kind: 'openai' } & OpenAiEmbedderOptions)
    | ({ readonly kind: 'onnx' } & OnnxEmbedderOptions);
  readonly classifiers?: Readonly<
    Partial<Record<ClassifiedStage, { readonly kind: 'onnx' } & OnnxClassifierOptions>>
  >;
  readonly meaning?: MeaningEncoderOptions;
}

const HTTP_NAMES = ['baseUrl', 'model', 'apiKey', 'timeoutMs', 'maxRetries'];
const PATHS = ['modelFolder', 'libraryFolder'];

/** The keys of each kind of back end, beside `kind`. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'openai judge': [...HTTP_NAMES, 'parameters'],
  'openai embedder': [...HTTP_NAMES, 'dimensions', 'batchSize'],
  'onnx judge': [...ONNX_OPTION_NAMES, 'labels', 'template'],
  'onnx embedder': [...ONNX_OPTION_NAMES, 'pooling', 'prefix'],
  'onnx classifier': [...ONNX_OPTION_NAMES, 'labels'],
};

/**
 * Reads the part `backends` of a configuration: which keys there are, variables in place, paths made
 * absolute. Values are checked when the back ends are made.
 *
 * @throws PipelineConfigError naming the option at fault; no value stands in it
 */
export function parseBackendSettings(value: unknown, place: SettingsPlace): BackendSettings {
  const path = 'backends';
  const given = checkRecord(path, value, new Set(['judge', 'embedder', 'classifiers', 'meaning']));
  const settings: Record<string, unknown> = {};
  for (const what of ['judge', 'embedder'] as const) {
    if (given[what] === undefined) continue;
    settings[what] = parseOne(given[what], `${path}.${what}`, what, place);
  }
  if (given.classifiers !== undefined) {
    settings.classifiers = parseClassifiers(given.classifiers, `${path}.classifiers`, place);
  }
  const meaning = parseMeaning(given.meaning, `${path}.meaning`, place);
  return { ...settings, ...(meaning && { meaning }) };
}

/** `true`, or an object with options, turns the tier on. */
function parseMeaning(value: unknown, path: string, { folder }: SettingsPlace) {
  if (value === undefined || value === false) return undefined;
  if (value === true) return {};
  if (typeof value !== 'object') {
    throw new PipelineConfigError(path, 'expected true, false or an object with options');
  }
  return toAbsolute(checkRecord(path, value, new Set(MEANING_OPTION_NAMES)), folder);
}

function parseClassifiers(value: unknown, path: string, place: SettingsPlace) {
  const stages = BUILT_IN_STAGES.filter(({ classifier }) => classifier !== undefined);
  const given = checkRecord(path, value, new Set(stages.map(({ name }) => name)));
  return Object.fromEntries(
    Object.entries(given).map(([stage, entry]) => {
      const settings = parseOne(entry, `${path}.${stage}`, 'classifier', place);
      const types = stages.find(({ name }) => name === stage)?.types ?? [];
      checkTypes(settings.labels, `${path}.${stage}.labels`, types);
      return [stage, settings];
    }),
  );
}

function parseOne(
  value: unknown,
  path: string,
  what: string,
  place: SettingsPlace,
): Readonly<Record<string, unknown>> {
  const { kind } = checkRecord(path, value);
  const kinds = ['openai', 'onnx'].filter((name) => KEYS[`${name} ${what}`] !== undefined);
  if (!kinds.some((name) => name === kind)) {
    throw new PipelineConfigError(`${path}.kind`, `expected one of ${kinds.join(', ')}`);
  }
  const allowed = new Set(['kind', ...(KEYS[`${kind} ${what}`] ?? [])]);
  const entries = Object.entries(checkRecord(path, value, allowed)).map(
    ([key, entry]) => [key, fillIn(entry, key, `${path}.${key}`, place)] as const,
  );
  const settings = Object.fromEntries(entries);
  return kind === 'onnx' ? toAbsolute(settings, place.folder) : settings;
}

/** What is secret is never written into the file itself. */
function fillIn(value: unknown, key: string, path: string, { env }: SettingsPlace): unknown {
  const name = typeof value === 'string' ? /^\$\{(\w+)\}$/.exec(value)?.[1] : undefined;
  if (name === undefined) {
    if (key !== 'apiKey') return value;
    throw new PipelineConfigError(path, 'expected an environment variable, as $' + '{NAME}');
  }
  const filled = env[name]?.trim();
  if (filled) return filled;
  throw new PipelineConfigError(path, `the environment variable ${name} is not set`);
}

function toAbsolute(
  settings: Readonly<Record<string, unknown>>,
  folder: string,
): Readonly<Record<string, unknown>> {
  // A model without a folder of models is a folder itself.
  const paths = settings.modelFolder === undefined ? [...PATHS, 'model'] : PATHS;
  const entries = Object.entries(settings).map(([key, value]) => {
    const isPath = paths.includes(key) && typeof value === 'string' && value !== '';
    return [key, isPath ? resolve(folder, value) : value];
  });
  return Object.fromEntries(entries);
}

function checkTypes(labels: unknown, path: string, types: readonly string[]): void {
  for (const [label, entry] of Object.entries(checkRecord(path, labels))) {
    const type = typeof entry === 'string' ? entry : checkRecord(`${path}.${label}`, entry).type;
    if (types.some((known) => known === type)) continue;
    const known = types.join(', ');
    const message = `expected one of the types ${known}.${didYouMean(type, types)}`;
    throw new PipelineConfigError(`${path}.${label}`, message);
  }
}

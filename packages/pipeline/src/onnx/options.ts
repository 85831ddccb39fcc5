import { isAbsolute, resolve } from 'node:path';
import { checkModel } from '../backends/http-client.ts';
import { PipelineConfigError } from '../errors.ts';
import { checkCount } from '../stage-options.ts';
import type { ThreadTimes } from './model-thread.ts';

/** How the numbers of a model are stored: the file `onnx/model.onnx`, `model_quantized.onnx` and so on. */
const ONNX_DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;

/** One of the ways in which the numbers of a model are stored. */
export type OnnxDtype = (typeof ONNX_DTYPES)[number];

/** Which local model to run, and how. */
export interface OnnxModelOptions extends ThreadTimes {
  /** A folder with `config.json`, `tokenizer.json` and `onnx/`, or an id such as `owner/name`. */
  readonly model: string;
  /** Where models are found by their ids, and kept where they may be fetched. */
  readonly modelFolder?: string | undefined;
  /** Whether what `modelFolder` lacks may be fetched from the model hub. Default false: no network. */
  readonly allowRemote?: boolean | undefined;
  /** Branch, tag or commit of the hub. Default `main`. */
  readonly revision?: string | undefined;
  /** Address of the hub, or of a mirror of it. Default: the library's. */
  readonly remoteHost?: string | undefined;
  /** Default `fp32`. */
  readonly dtype?: OnnxDtype | undefined;
  /** Processor threads for one operation. Default 1. */
  readonly threads?: number | undefined;
  /** Texts run in one go. Default 8. */
  readonly batchSize?: number | undefined;
  /** A folder in whose `node_modules` the library is. Default: where this package finds it. */
  readonly libraryFolder?: string | undefined;
}

/** The options of {@link OnnxModelOptions}, for those who read them from a file. */
export const ONNX_OPTION_NAMES = [
  'model',
  'modelFolder',
  'allowRemote',
  'revision',
  'remoteHost',
  'dtype',
  'threads',
  'batchSize',
  'timeoutMs',
  'libraryFolder',
] as const satisfies readonly (keyof OnnxModelOptions)[];

/** A checked choice of a model, as its thread gets it. */
export interface ModelChoice {
  /** What the library calls it: its path below `folder`. */
  readonly name: string;
  readonly folder: string;
  readonly allowRemote: boolean;
  readonly revision: string;
  readonly remoteHost: string | undefined;
  readonly dtype: OnnxDtype;
  readonly threads: number;
  readonly batchSize: number;
  readonly libraryFolder: string | undefined;
}

/**
 * Checks which model is meant and fills in the defaults.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function resolveModel(options: OnnxModelOptions): ModelChoice {
  const { allowRemote = false, revision = 'main', dtype = 'fp32' } = options;
  const { remoteHost, libraryFolder } = options;
  if (typeof allowRemote !== 'boolean') {
    throw new PipelineConfigError('allowRemote', 'expected true or false');
  }
  if (!ONNX_DTYPES.includes(dtype)) {
    throw new PipelineConfigError('dtype', `expected one of ${ONNX_DTYPES.join(', ')}`);
  }
  return {
    ...placeOf(options),
    allowRemote,
    revision: checkText('revision', revision),
    remoteHost: remoteHost === undefined ? undefined : checkAddress(remoteHost),
    dtype,
    threads: checkCount('threads', options.threads ?? 1, 1, 64),
    batchSize: checkCount('batchSize', options.batchSize ?? 8, 1, 256),
    libraryFolder:
      libraryFolder === undefined ? undefined : resolve(checkText('libraryFolder', libraryFolder)),
  };
}

function placeOf(options: OnnxModelOptions): { readonly name: string; readonly folder: string } {
  const model = checkModel(options.model);
  const { modelFolder } = options;
  if (modelFolder !== undefined) {
    const folder = resolve(checkText('modelFolder', modelFolder));
    if (!isAbsolute(model) && !model.split(/[\\/]/).includes('..')) return { name: model, folder };
    throw new PipelineConfigError('model', 'must be inside modelFolder when modelFolder is set');
  }
  if (options.allowRemote) {
    throw new PipelineConfigError('modelFolder', 'required to store downloaded models');
  }
  const path = resolve(model);
  return { name: path.slice(path.search(/[^\\/]+$/)), folder: resolve(path, '..') };
}

/** Checks an option that is a string. */
export function checkText(option: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new PipelineConfigError(option, 'expected a string');
}

function checkAddress(value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)) {
    return value.endsWith('/') ? value : `${value}/`;
  }
  throw new PipelineConfigError('remoteHost', 'expected an http or https address');
}

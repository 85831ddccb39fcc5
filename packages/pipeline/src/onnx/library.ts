import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The package that runs ONNX models; an optional peer dependency. */
const LIBRARY = '@huggingface/transformers';

/** A tensor of the library. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

/** Makes tensors. */
type TensorClass = new (
  type: 'int64' | 'bool',
  data: BigInt64Array | Uint8Array,
  dims: readonly number[],
) => Tensor;

/** Texts as numbers. */
interface Encoded {
  readonly input_ids: Tensor;
}

/** The tokenizer of a model. */
export interface Tokenizer {
  readonly model_max_length: number;
  readonly pad_token_id?: number | undefined;
  (
    text: string,
    options: { readonly add_special_tokens: boolean; readonly return_tensor: false },
  ): { readonly input_ids: readonly number[] };
  (
    text: string | readonly string[],
    options?: {
      readonly text_pair?: string | readonly string[];
      readonly padding?: boolean;
      readonly truncation?: boolean;
      readonly max_length?: number;
    },
  ): Encoded;
}

/** A model that gives logits. */
export interface LogitsModel {
  readonly config: {
    readonly id2label?: Readonly<Record<string, string>>;
    readonly problem_type?: string | null;
    readonly max_position_embeddings?: number;
    /** Words of the longest span, of a model that reads its labels. */
    readonly max_width?: number;
  };
  readonly sessions?: Readonly<Record<string, { readonly inputNames: readonly string[] }>>;
  (inputs: Readonly<Record<string, Tensor>> | Encoded): Promise<{ readonly logits?: Tensor }>;
}

type Extract = (
  texts: readonly string[],
  options: { readonly pooling: string; readonly normalize: boolean },
) => Promise<Tensor>;

interface FromPretrained<Loaded> {
  from_pretrained(name: string, options: Readonly<Record<string, unknown>>): Promise<Loaded>;
}

/** What is used of the library. */
export interface TransformersLibrary {
  readonly env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    cacheDir: string;
    remoteHost: string;
    logLevel: number;
  };
  readonly AutoTokenizer: FromPretrained<Tokenizer>;
  readonly AutoModelForSequenceClassification: FromPretrained<LogitsModel>;
  /** Takes any architecture, as one file with one run. */
  readonly AutoModel: FromPretrained<LogitsModel>;
  readonly Tensor: TensorClass;
  pipeline(
    task: 'feature-extraction',
    name: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Extract>;
}

/** A model answers otherwise than a model of its kind does. The message has nothing of any text. */
export class ModelOutputError extends Error {
  override readonly name = 'ModelOutputError';
}

/** The library is not there. */
export class LibraryMissingError extends Error {
  override readonly name = 'LibraryMissingError';
}

/**
 * Loads the library at its first use; in a thread, as it computes without giving up the event loop and
 * keeps its settings in one object for the whole program.
 *
 * @param folder in whose `node_modules` to look; undefined for where this package finds it
 * @throws LibraryMissingError naming the package to install
 */
export function loadLibrary(folder: string | undefined): TransformersLibrary {
  const require = createRequire(folder === undefined ? import.meta.url : join(folder, 'models.js'));
  try {
    require.resolve(LIBRARY);
  } catch {
    const where = folder === undefined ? '' : ` in ${folder}`;
    throw new LibraryMissingError(
      `ONNX models need the package ${LIBRARY}: npm install ${LIBRARY}${where}`,
    );
  }
  return require(LIBRARY) as TransformersLibrary;
}

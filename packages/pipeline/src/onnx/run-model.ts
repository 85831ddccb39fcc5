import { createPromptedSpans, PROMPT_INPUTS } from './label-prompts.ts';
import { sigmoid, softmax } from './label-scale.ts';
import type { TokenModel } from './label-words.ts';
import { createWordLabels } from './label-words.ts';
import type { LogitsModel, Tensor, TransformersLibrary } from './library.ts';
import { loadLibrary, ModelOutputError } from './library.ts';
import type { EntityLabel, ModelInput, ModelRows, Pooling, ThreadSetUp } from './messages.ts';

/** Set-up of a thread with a model of the library. */
type OnnxSetUp = Exclude<ThreadSetUp, { readonly task: 'meaning' }>;

type ClassifySetUp = Extract<ThreadSetUp, { readonly task: 'classify' }>;

/** Makes the tokens of texts, or of pairs of texts. */
type Encode = (
  inputs: readonly ModelInput[],
  limits?: {
    readonly padding?: boolean;
    readonly truncation?: boolean;
    readonly max_length?: number;
  },
) => { readonly input_ids: Tensor };

/** Runs one batch of texts. */
export type RunBatch = (inputs: readonly ModelInput[]) => Promise<ModelRows>;

/** No log line of the library is written into the output of the program. */
const NO_LOG = 50;
/** Shorter texts are not cut, whatever the number of their tokens. */
const MIN_CUT = 16;
/** A text that is read beside another is cut so many times at most: the other one is in every piece. */
const MAX_CUTS_OF_PAIRS = 4;
const POSITIONS = 512;
const PROBE = 'probe';

/**
 * Loads library and model, and gives what runs batches.
 *
 * @throws LibraryMissingError, or what the library throws for a model that it cannot load
 */
export async function loadModel(setUp: OnnxSetUp): Promise<RunBatch> {
  const { task, model } = setUp;
  const { name, folder, allowRemote, revision, remoteHost, dtype, threads, libraryFolder } = model;
  const library = loadLibrary(libraryFolder);
  const { env } = library;
  env.allowLocalModels = true;
  env.allowRemoteModels = allowRemote;
  env.localModelPath = `${folder}/`;
  env.cacheDir = folder;
  if (remoteHost !== undefined) env.remoteHost = remoteHost;
  env.logLevel = NO_LOG;
  const options = {
    revision,
    local_files_only: !allowRemote,
    dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  };
  return task === 'embed' ? tried(await embedder(setUp.pooling)) : classifier(setUp);

  async function embedder(pooling: Pooling): Promise<RunBatch> {
    const extract = await library.pipeline('feature-extraction', name, options);
    return async (inputs) => {
      const texts = inputs.map(({ text }) => text);
      // A text of unknown words alone may have no direction; the caller checks each vector.
      const vectors = await extract(texts, { pooling, normalize: true });
      return { labels: [], rows: toRows(vectors, texts.length) };
    };
  }

  async function classifier({ template, entities }: ClassifySetUp): Promise<RunBatch> {
    const tokenizer = await library.AutoTokenizer.from_pretrained(name, options);
    const network = await loadNetwork(library, name, options);
    const { max_position_embeddings: positions = POSITIONS } = network.config;
    // Some families keep the first two positions for themselves.
    const longest = Math.min(tokenizer.model_max_length || POSITIONS, positions - (positions % 16));
    const model = { library, tokenizer, network, longest };
    const isOfWords = readsLabels(model) || (await labelsWords(model));
    return isOfWords ? tried(createSpans(model, entities)) : createClassify(model, template);
  }
}

/** Runs a model once: a fault of the model itself shows here, where an error may be reported word for word. */
async function tried(run: RunBatch): Promise<RunBatch> {
  await run([{ text: PROBE }]);
  return run;
}

/** The class for texts, or for an architecture that it does not know, one that takes any. */
async function loadNetwork(
  { AutoModelForSequenceClassification, AutoModel }: TransformersLibrary,
  name: string,
  options: Readonly<Record<string, unknown>>,
): Promise<LogitsModel> {
  try {
    return await AutoModelForSequenceClassification.from_pretrained(name, options);
  } catch (error) {
    if (!/^Unsupported model type/.test((error as Error).message)) throw error;
    return AutoModel.from_pretrained(name, options);
  }
}

/** Runs a model once: whether it has a label for each token, and not one for the text. */
async function labelsWords({ network, tokenizer }: TokenModel): Promise<boolean> {
  const { logits } = await network(tokenizer(PROBE));
  if (logits === undefined) throw new ModelOutputError('the model returns no logits');
  return logits.dims.length === 3;
}

function readsLabels({ network: { sessions = {} } }: TokenModel): boolean {
  const inputs = Object.values(sessions).flatMap(({ inputNames }) => inputNames);
  return PROMPT_INPUTS.every((name) => inputs.includes(name));
}

function createSpans(model: TokenModel, entities: readonly EntityLabel[] | undefined): RunBatch {
  if (entities === undefined) {
    throw new ModelOutputError('the model labels words; expected one that judges whole texts');
  }
  const create = readsLabels(model) ? createPromptedSpans : createWordLabels;
  return create(model, entities);
}

function createClassify(
  { tokenizer, network, longest }: TokenModel,
  template: string | undefined,
): RunBatch {
  const { id2label = {}, problem_type: problem } = network.config;
  const encode: Encode = (inputs, limits = {}) =>
    template === undefined
      ? tokenizer(
          inputs.map(({ text }) => text),
          { ...pairsOf(inputs), ...limits },
        )
      : tokenizer(
          inputs.map((input) => fillIn(template, input)),
          limits,
        );
  return async (inputs) => {
    const pieces = inputs.map((input) => toPieces(input, encode, longest));
    const flat = pieces.flat();
    const limits = { padding: true, truncation: true, max_length: longest };
    const { logits } = await network(encode(flat, limits));
    if (logits === undefined) throw new ModelOutputError('the model returns no logits');
    const rows = toRows(logits, flat.length).map((row) => {
      requireFinite(row);
      // Of one logit a softmax is always 1.
      const isEachAlone = problem === 'multi_label_classification' || row.length === 1;
      return isEachAlone ? row.map(sigmoid) : softmax(row);
    });
    const labels = Array.from(rows[0] ?? [], (_, at) => id2label[at] ?? String(at));
    let next = 0;
    const joined = pieces.map(({ length }) => {
      next += length;
      return largest(rows.slice(next - length, next));
    });
    return { labels, rows: joined };
  };
}

/** A text with more tokens than the model reads is cut in two, and these again: nothing goes unread. */
function toPieces(input: ModelInput, encode: Encode, longest: number, cuts = 0): ModelInput[] {
  const { text, pair } = input;
  if (text.length < MIN_CUT || (pair !== undefined && cuts === MAX_CUTS_OF_PAIRS)) return [input];
  const tokens = encode([input]).input_ids.dims.at(-1) ?? 0;
  if (tokens <= longest) return [input];
  const middle = cutBefore(text, text.length >> 1);
  return [text.slice(0, middle), text.slice(middle)].flatMap((half) =>
    toPieces({ ...input, text: half }, encode, longest, cuts + 1),
  );
}

/** The last blank of the quarter before `middle`; without one, a place within no character. */
export function cutBefore(text: string, middle: number): number {
  const blank = text.lastIndexOf(' ', middle);
  if (blank > middle / 2) return blank;
  const code = text.charCodeAt(middle);
  return code >= 0xdc00 && code <= 0xdfff ? middle - 1 : middle;
}

function pairsOf(inputs: readonly ModelInput[]): { readonly text_pair?: readonly string[] } {
  return inputs[0]?.pair === undefined ? {} : { text_pair: inputs.map(({ pair = '' }) => pair) };
}

/** The text of a template, with the two texts in their places. */
function fillIn(template: string, { text, pair = '' }: ModelInput): string {
  return template.replace(/\{(source|claim)\}/g, (_, name) => (name === 'source' ? text : pair));
}

function toRows({ dims, data }: Tensor, count: number): Float32Array[] {
  const [rows, width = 0] = dims;
  if (dims.length !== 2 || rows !== count) {
    throw new ModelOutputError('the model does not return one row of numbers per text');
  }
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_item, at) => Number(data[row * width + at])),
  );
}

function requireFinite(row: Float32Array): void {
  if (row.every(Number.isFinite)) return;
  throw new ModelOutputError('the model returned a number that is not finite');
}

function largest(rows: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = rows;
  return first.map((value, at) =>
    others.reduce((held, row) => Math.max(held, row[at] ?? 0), value),
  );
}

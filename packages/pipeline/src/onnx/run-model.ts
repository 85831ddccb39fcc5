import type { SequenceModel, Tensor, Tokenizer } from './library.ts';
import { loadLibrary } from './library.ts';
import type { ModelInput, ModelRows, Pooling, ThreadSetUp } from './messages.ts';

/** Set-up of a thread with a model of the library. */
type OnnxSetUp = Exclude<ThreadSetUp, { readonly task: 'meaning' }>;

/** Runs one batch of texts. */
export type RunBatch = (inputs: readonly ModelInput[]) => Promise<ModelRows>;

/** No log line of the library is written into the output of the program. */
const NO_LOG = 50;
/** Shorter texts are not cut, whatever the number of their tokens. */
const MIN_CUT = 16;
/** A text that is read beside another is cut so many times at most: the other one is in every piece. */
const MAX_CUTS_OF_PAIRS = 4;
const POSITIONS = 512;

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
  const run = task === 'embed' ? await embedder(setUp.pooling) : await classifier();
  // What is wrong with the model itself shows here, where an error may be reported word for word.
  await run([{ text: 'probe' }]);
  return run;

  async function embedder(pooling: Pooling): Promise<RunBatch> {
    const extract = await library.pipeline('feature-extraction', name, options);
    return async (inputs) => {
      const texts = inputs.map(({ text }) => text);
      return { labels: [], rows: toRows(await extract(texts, { pooling, normalize: true })) };
    };
  }

  async function classifier(): Promise<RunBatch> {
    const tokenizer = await library.AutoTokenizer.from_pretrained(name, options);
    const Model = library.AutoModelForSequenceClassification;
    return createClassify(tokenizer, await Model.from_pretrained(name, options));
  }
}

function createClassify(tokenizer: Tokenizer, network: SequenceModel): RunBatch {
  const { id2label = {}, problem_type: problem, max_position_embeddings } = network.config;
  const positions = max_position_embeddings ?? POSITIONS;
  // Some families keep the first two positions for themselves.
  const longest = Math.min(tokenizer.model_max_length || POSITIONS, positions - (positions % 16));
  const spread = problem === 'multi_label_classification' ? sigmoid : softmax;
  return async (inputs) => {
    const pieces = inputs.map((input) => toPieces(input, tokenizer, longest));
    const flat = pieces.flat();
    const encoded = tokenizer(
      flat.map(({ text }) => text),
      { ...pairsOf(flat), padding: true, truncation: true, max_length: longest },
    );
    const { logits } = await network(encoded);
    if (logits === undefined) throw new Error('the model returns no logits');
    const rows = toRows(logits).map(spread);
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
function toPieces(
  input: ModelInput,
  tokenizer: Tokenizer,
  longest: number,
  cuts = 0,
): ModelInput[] {
  const { text, pair } = input;
  if (text.length < MIN_CUT || (pair !== undefined && cuts === MAX_CUTS_OF_PAIRS)) return [input];
  const encoded = tokenizer(text, { ...(pair === undefined ? {} : { text_pair: pair }) });
  const tokens = encoded.input_ids.dims.at(-1) ?? 0;
  if (tokens <= longest) return [input];
  const middle = cutBefore(text, text.length >> 1);
  return [text.slice(0, middle), text.slice(middle)].flatMap((half) =>
    toPieces({ ...input, text: half }, tokenizer, longest, cuts + 1),
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

function toRows({ dims, data }: Tensor): Float32Array[] {
  const [count = 0, width = 0] = dims;
  if (dims.length !== 2) throw new Error('the model does not return one row of numbers per text');
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_item, at) => Number(data[row * width + at])),
  );
}

function softmax(logits: Float32Array): Float32Array {
  const most = logits.reduce((held, next) => Math.max(held, next), Number.NEGATIVE_INFINITY);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const sum = powers.reduce((held, next) => held + next, 0);
  return powers.map((power) => power / sum);
}

function sigmoid(logits: Float32Array): Float32Array {
  return logits.map((logit) => 1 / (1 + Math.exp(-logit)));
}

function largest(rows: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = rows;
  return first.map((value, at) =>
    others.reduce((held, row) => Math.max(held, row[at] ?? 0), value),
  );
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field } from './protobuf.ts';
import { bytes, int } from './protobuf.ts';

/** A model of a few words: each word adds its numbers to the classes, their mean is the logits. */
export interface TinyModel {
  /** Logits by word, one for each label. */
  readonly words: Readonly<Record<string, readonly number[]>>;
  readonly labels: readonly string[];
  /** Tokens that the model reads. Default 64. */
  readonly maxTokens?: number;
  readonly multiLabel?: boolean;
  /** The labeled unit: the text, each token, or spans of up to two tokens of a model that reads its labels. Default `text`. */
  readonly labelsOf?: 'text' | 'tokens' | 'spans';
  /** The name of the architecture in `config.json`. Default `bert`. */
  readonly modelType?: string;
}

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '<<ENT>>', '<<SEP>>'];
/** Logits that a span of two tokens has more than its first token alone. */
const SECOND_TOKEN = 1;

/**
 * Writes a model in the layout of the model hub: `config.json`, `tokenizer.json`,
 * `tokenizer_config.json` and `onnx/model.onnx`, which gives both `logits` and, where texts have labels,
 * `last_hidden_state`.
 */
export function writeTinyModel(folder: string, model: TinyModel): string {
  const { words, labels, maxTokens = 64, multiLabel = false } = model;
  const { labelsOf = 'text', modelType = 'bert' } = model;
  const vocabulary = [...SPECIAL, ...Object.keys(words)];
  const nothing = labels.map(() => 0);
  const vectors = vocabulary.map((word) => words[word] ?? nothing);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), GRAPHS[labelsOf](vectors));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  write('config.json', {
    model_type: modelType,
    architectures: ['BertForSequenceClassification'],
    ...(labelsOf === 'spans' ? { max_width: 2 } : { id2label: { ...labels } }),
    max_position_embeddings: maxTokens,
    ...(multiLabel ? { problem_type: 'multi_label_classification' } : {}),
  });
  write('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    model_max_length: maxTokens,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  });
  write('tokenizer.json', toTokenizer(vocabulary));
  return folder;
}

type Vectors = readonly (readonly number[])[];

const GRAPHS = { text: textGraph, tokens: tokenGraph, spans: spanGraph };

/** The mean, over the words that the mask counts, of their rows in a table. */
function textGraph(vectors: Vectors): Buffer {
  const width = vectors[0]?.length ?? 0;
  return toOnnx([
    node('Gather', ['table', 'input_ids'], 'last_hidden_state'),
    node('Cast', ['attention_mask'], 'mask', ['to', FLOAT]),
    node('Unsqueeze', ['mask', 'last'], 'column'),
    node('Mul', ['last_hidden_state', 'column'], 'counted'),
    node('ReduceSum', ['counted', 'one'], 'sum', ['keepdims', 0]),
    node('ReduceSum', ['mask', 'one'], 'count', ['keepdims', 1]),
    node('Div', ['sum', 'count'], 'logits'),
    bytes(2, 'tiny'),
    tensor('table', FLOAT, [vectors.length, width], Float32Array.from(vectors.flat())),
    tensor('last', INT64, [1], BigInt64Array.of(-1n)),
    tensor('one', INT64, [1], BigInt64Array.of(1n)),
    value(11, 'input_ids', INT64, ['batch', 'length']),
    value(11, 'attention_mask', INT64, ['batch', 'length']),
    value(12, 'logits', FLOAT, ['batch', width]),
    value(12, 'last_hidden_state', FLOAT, ['batch', 'length', width]),
  ]);
}

/** The row of each token. */
function tokenGraph(vectors: Vectors): Buffer {
  const width = vectors[0]?.length ?? 0;
  return toOnnx([
    node('Gather', ['table', 'input_ids'], 'logits'),
    bytes(2, 'tiny'),
    tensor('table', FLOAT, [vectors.length, width], Float32Array.from(vectors.flat())),
    value(11, 'input_ids', INT64, ['batch', 'length']),
    value(11, 'attention_mask', INT64, ['batch', 'length']),
    value(12, 'logits', FLOAT, ['batch', 'length', width]),
  ]);
}

/** The row of the first token of each span, and a little more for two tokens. */
function spanGraph(vectors: Vectors): Buffer {
  const width = vectors[0]?.length ?? 0;
  return toOnnx([
    node('Gather', ['table', 'input_ids'], 'rows'),
    node('Greater', ['words_mask', 'zero'], 'first'),
    node('Squeeze', ['first', 'zero'], 'kept'),
    node('Compress', ['rows', 'kept'], 'words', ['axis', 1]),
    node('Unsqueeze', ['words', 'two'], 'spans'),
    node('Add', ['spans', 'more'], 'logits'),
    bytes(2, 'tiny'),
    tensor('table', FLOAT, [vectors.length, width], Float32Array.from(vectors.flat())),
    tensor('zero', INT64, [1], BigInt64Array.of(0n)),
    tensor('two', INT64, [1], BigInt64Array.of(2n)),
    tensor('more', FLOAT, [1, 1, 2, 1], Float32Array.of(0, SECOND_TOKEN)),
    value(11, 'input_ids', INT64, ['batch', 'length']),
    value(11, 'attention_mask', INT64, ['batch', 'length']),
    value(11, 'words_mask', INT64, ['batch', 'length']),
    value(11, 'text_lengths', INT64, ['batch', 1]),
    value(11, 'span_idx', INT64, ['batch', 'spans', 2]),
    value(11, 'span_mask', BOOL, ['batch', 'spans']),
    value(12, 'logits', FLOAT, ['batch', 'words', 2, width]),
  ]);
}

function toOnnx(graph: readonly Field[]): Buffer {
  const version = 8;
  const operators = [bytes(1, ''), int(2, 13)];
  return Buffer.concat([int(1, version), bytes(7, graph), bytes(8, operators)]);
}

function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attribute?: readonly [string, number],
): Field {
  const attributes =
    attribute === undefined
      ? []
      : [bytes(5, [bytes(1, attribute[0]), int(3, attribute[1]), int(20, 2)])];
  const names = inputs.map((name) => bytes(1, name));
  return bytes(1, [...names, bytes(2, output), bytes(4, type), ...attributes]);
}

function tensor(
  name: string,
  type: number,
  dims: readonly number[],
  { buffer }: Float32Array | BigInt64Array,
): Field {
  const data = bytes(9, new Uint8Array(buffer));
  return bytes(5, [...dims.map((dim) => int(1, dim)), int(2, type), bytes(8, name), data]);
}

function value(
  field: number,
  name: string,
  type: number,
  dims: readonly (string | number)[],
): Field {
  const shape = dims.map((dim) =>
    bytes(1, [typeof dim === 'string' ? bytes(2, dim) : int(1, dim)]),
  );
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [int(1, type), bytes(2, shape)])])]);
}

function toTokenizer(vocabulary: readonly string[]): object {
  const special = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const ends = Object.fromEntries(
    ['[CLS]', '[SEP]'].map((token) => [
      token,
      { id: token, ids: [vocabulary.indexOf(token)], tokens: [token] },
    ]),
  );
  const single = [special('[CLS]'), sequence('A'), special('[SEP]')];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, sequence('B'), special('[SEP]')],
      special_tokens: ends,
    },
    decoder: null,
    model: {
      type: 'WordLevel',
      unk_token: '[UNK]',
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

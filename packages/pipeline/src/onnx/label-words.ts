import { moveThreshold, softmax } from './label-scale.ts';
import type { LogitsModel, Tensor, Tokenizer, TransformersLibrary } from './library.ts';
import { ModelOutputError } from './library.ts';
import type { EntityLabel, LabeledSpan } from './messages.ts';
import type { RunBatch } from './run-model.ts';
import type { WordUnit } from './word-units.ts';
import { BLANK_WORDS, integers, readUnits, tokensAround, toRuns } from './word-units.ts';

/** Places in a sequence of labels: `B-PER`, `I-PER`. */
const SCHEME = /^(?:([BILUES])-)?(.+)$/;
const OUTSIDE = /^(?:O|OUTSIDE)$/i;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** A model that labels each token. */
export interface TokenModel {
  readonly library: TransformersLibrary;
  readonly tokenizer: Tokenizer;
  readonly network: LogitsModel;
  /** The tokens that it reads. */
  readonly longest: number;
}

/** A label of the model as it is used: its type, and whether it begins an entity. */
interface UsedLabel extends EntityLabel {
  readonly begins: boolean;
}

/** A word that belongs to a type. */
interface FoundWord extends WordUnit {
  readonly used: UsedLabel;
  readonly score: number;
}

/**
 * Runs a model that labels tokens (BIO and the like, or bare names). A word has the label of its
 * first token; words of one type in a row are one entity, unless a `B-` of the same label begins another.
 *
 * @throws ModelOutputError naming the labels of the model where an expected one is not among them
 */
export function createWordLabels(model: TokenModel, entities: readonly EntityLabel[]): RunBatch {
  const { library, tokenizer, network, longest } = model;
  const labels = useLabels(network.config.id2label ?? {}, entities);
  const { before, after } = tokensAround(tokenizer);
  const most = Math.max(1, longest - before.length - after.length);
  return async (inputs) => {
    const runs = inputs.flatMap(({ text }, at) =>
      toRuns(readUnits(tokenizer, text, BLANK_WORDS, true), most).map((units) => ({ at, units })),
    );
    const spans: LabeledSpan[][] = inputs.map(() => []);
    if (runs.length === 0) return { labels: [], rows: [], spans };
    const lines = runs.map(({ units }) => [
      ...before,
      ...units.flatMap(({ ids }) => ids),
      ...after,
    ]);
    const { logits } = await network(pad(library, lines, tokenizer.pad_token_id ?? 0));
    const read = readerOf(logits, lines.length, labels.length);
    runs.forEach(({ at, units }, line) => {
      const text = inputs[at]?.text ?? '';
      let place = before.length;
      const found = units.map((unit) => {
        const word = wordOf(unit, softmax(read(line, place)), labels);
        place += unit.ids.length;
        return word;
      });
      spans[at]?.push(...join(found, text));
    });
    return { labels: [], rows: [], spans };
  };
}

/** The used label of each column of the model. */
function useLabels(
  names: Readonly<Record<string, string>>,
  entities: readonly EntityLabel[],
): (UsedLabel | undefined)[] {
  const columns = Object.keys(names).map((_, at) => SCHEME.exec(names[at] ?? '') ?? []);
  const known = new Set(columns.flatMap(([, , name = '']) => (OUTSIDE.test(name) ? [] : [name])));
  for (const { label } of entities) {
    if (known.has(label)) continue;
    throw new ModelOutputError(`the model has no label ${label}; it has ${[...known].join(', ')}`);
  }
  return columns.map(([, place, name]) => {
    const entity = entities.find(({ label }) => label === name);
    return entity && { ...entity, begins: place === 'B' || place === 'U' || place === 'S' };
  });
}

function pad(library: TransformersLibrary, lines: readonly (readonly number[])[], padding: number) {
  const length = Math.max(...lines.map((line) => line.length));
  const dims = [lines.length, length];
  const fill = (of: (line: readonly number[], at: number) => number) =>
    lines.flatMap((line) => Array.from({ length }, (_, at) => of(line, at)));
  return {
    input_ids: integers(
      library,
      fill((line, at) => line[at] ?? padding),
      dims,
    ),
    attention_mask: integers(
      library,
      fill((line, at) => (at < line.length ? 1 : 0)),
      dims,
    ),
  };
}

function readerOf(logits: Tensor | undefined, count: number, width: number) {
  const [lines, length = 0, columns] = logits?.dims ?? [];
  if (logits === undefined || lines !== count || columns !== width) {
    throw new ModelOutputError('the model does not return one number per token and label');
  }
  return (line: number, place: number): Float32Array =>
    Float32Array.from({ length: width }, (_, at) => {
      const value = Number(logits.data[(line * length + place) * width + at]);
      if (Number.isFinite(value)) return value;
      throw new ModelOutputError('the model returned a number that is not finite');
    });
}

/** The type that a word is most likely of, all labels of the entity together. */
function wordOf(
  unit: WordUnit,
  probabilities: Float32Array,
  labels: readonly (UsedLabel | undefined)[],
): FoundWord | undefined {
  const sums = new Map<string, number>();
  labels.forEach((used, at) => {
    if (used === undefined) return;
    sums.set(used.label, (sums.get(used.label) ?? 0) + (probabilities[at] as number));
  });
  let best: FoundWord | undefined;
  let most = 0;
  labels.forEach((used, at) => {
    if (used === undefined || (probabilities[at] as number) <= most) return;
    const score = moveThreshold(Math.min(1, sums.get(used.label) as number), used.threshold);
    if (score < 0.5) return;
    most = probabilities[at] as number;
    best = { ...unit, used, score };
  });
  return best;
}

function join(words: readonly (FoundWord | undefined)[], text: string): LabeledSpan[] {
  const groups: FoundWord[][] = [];
  words.forEach((word, at) => {
    if (word === undefined) return;
    const before = words[at - 1];
    const isNew =
      before?.used.type !== word.used.type ||
      (word.used.begins && before.used.label === word.used.label);
    if (isNew) groups.push([word]);
    else groups.at(-1)?.push(word);
  });
  return groups.flatMap((group) => {
    const [first] = group as [FoundWord];
    const last = group.at(-1) as FoundWord;
    const score = group.reduce((sum, word) => sum + word.score, 0) / group.length;
    const whole = text.slice(first.start, last.end);
    const edges = [...whole.matchAll(EDGES)];
    const lead = edges.find(({ index }) => index === 0)?.[0].length ?? 0;
    if (lead === whole.length) return [];
    const trail = edges.find(({ index }) => index > 0)?.[0].length ?? 0;
    return [{ type: first.used.type, start: first.start + lead, end: last.end - trail, score }];
  });
}

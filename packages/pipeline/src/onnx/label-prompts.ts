import { moveThreshold, sigmoid } from './label-scale.ts';
import type { TokenModel } from './label-words.ts';
import type { Tensor } from './library.ts';
import { ModelOutputError } from './library.ts';
import type { EntityLabel, LabeledSpan } from './messages.ts';
import type { RunBatch } from './run-model.ts';
import type { WordUnit } from './word-units.ts';
import { idsOf, integers, readUnits, tokensAround, toRuns, WORDS_AND_SIGNS } from './word-units.ts';

const BEFORE_LABEL = '<<ENT>>';
const BEHIND_LABELS = '<<SEP>>';
/** Words of the longest span, where the model does not say. */
const MAX_WIDTH = 12;

/** A span that a model is sure enough of. */
interface Candidate extends LabeledSpan {
  readonly probability: number;
}

/** The inputs that tell a model which reads its labels from others. */
export const PROMPT_INPUTS = ['words_mask', 'text_lengths', 'span_idx', 'span_mask'] as const;

/**
 * Runs a model that reads its labels with the text and scores spans (GLiNER): any words may be
 * labels. Of spans that overlap the likeliest counts.
 */
export function createPromptedSpans(model: TokenModel, entities: readonly EntityLabel[]): RunBatch {
  const { tokenizer, network, longest } = model;
  const width = network.config.max_width ?? MAX_WIDTH;
  const { before, after } = tokensAround(tokenizer);
  const prompt = [
    ...before,
    ...entities.flatMap(({ label }) => [BEFORE_LABEL, label]),
    BEHIND_LABELS,
  ].flatMap((part) => (typeof part === 'number' ? [part] : idsOf(tokenizer, part)));
  const most = longest - prompt.length - after.length;
  if (most < 1) throw new ModelOutputError('the labels leave no room for a text; give fewer');
  const run = async (units: readonly WordUnit[]): Promise<LabeledSpan[]> => {
    const { logits } = await network(toInputs(model, prompt, units, after, width));
    return choose(units, logits, { entities, width });
  };
  return async (inputs) => {
    const spans: LabeledSpan[][] = [];
    for (const { text } of inputs) {
      const found: LabeledSpan[] = [];
      for (const units of toRuns(readUnits(tokenizer, text, WORDS_AND_SIGNS, false), most)) {
        found.push(...(await run(units)));
      }
      spans.push(found);
    }
    return { labels: [], rows: [], spans };
  };
}

function toInputs(
  { library }: TokenModel,
  prompt: readonly number[],
  units: readonly WordUnit[],
  after: readonly number[],
  width: number,
): Readonly<Record<string, Tensor>> {
  const ids = [...prompt, ...units.flatMap((unit) => unit.ids), ...after];
  const words = [
    ...prompt.map(() => 0),
    ...units.flatMap((unit, at) => unit.ids.map((_, token) => (token === 0 ? at + 1 : 0))),
    ...after.map(() => 0),
  ];
  const spans = units.flatMap((_, at) =>
    Array.from({ length: width }, (_, more) => [at, at + more]),
  );
  const isInside = spans.map(([, last = 0]) => (last < units.length ? 1 : 0));
  const count = spans.length;
  return {
    input_ids: integers(library, ids, [1, ids.length]),
    attention_mask: integers(
      library,
      ids.map(() => 1),
      [1, ids.length],
    ),
    words_mask: integers(library, words, [1, ids.length]),
    text_lengths: integers(library, [units.length], [1, 1]),
    span_idx: integers(
      library,
      spans.flatMap((span, at) => (isInside[at] === 1 ? span : [0, 0])),
      [1, count, 2],
    ),
    span_mask: new library.Tensor('bool', Uint8Array.from(isInside), [1, count]),
  };
}

/** The likeliest spans, none of which overlaps another. */
function choose(
  units: readonly WordUnit[],
  logits: Tensor | undefined,
  { entities, width }: { readonly entities: readonly EntityLabel[]; readonly width: number },
): LabeledSpan[] {
  const [one, words, widths, classes] = logits?.dims ?? [];
  const isExpected =
    one === 1 && words === units.length && widths === width && classes === entities.length;
  if (logits === undefined || !isExpected) {
    throw new ModelOutputError('the model does not return one number per span and label');
  }
  const candidates: Candidate[] = [];
  units.forEach(({ start }, word) => {
    for (let more = 0; more < width && word + more < units.length; more++) {
      entities.forEach(({ type, threshold }, at) => {
        const logit = Number(logits.data[(word * width + more) * entities.length + at]);
        if (!Number.isFinite(logit)) {
          throw new ModelOutputError('the model returned a number that is not finite');
        }
        const probability = sigmoid(logit);
        if (probability < threshold) return;
        const { end } = units[word + more] as WordUnit;
        candidates.push({
          type,
          start,
          end,
          probability,
          score: moveThreshold(probability, threshold),
        });
      });
    }
  });
  candidates.sort((a, b) => b.probability - a.probability || b.end - b.start - (a.end - a.start));
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.every(({ start, end }) => candidate.end <= start || end <= candidate.start)) {
      kept.push(candidate);
    }
  }
  return kept
    .sort((a, b) => a.start - b.start)
    .map(({ type, start, end, score }) => ({ type, start, end, score }));
}

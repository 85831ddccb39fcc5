import { BackendError } from '../backends/backend-error.ts';
import type { Classifier, ClassScore, Closable } from '../backends/types.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { moveThreshold } from './label-scale.ts';
import type { ModelRows } from './messages.ts';
import { createModelThread } from './model-thread.ts';
import type { OnnxModelOptions } from './options.ts';
import { resolveModel } from './options.ts';

/** What a class of a model stands for. */
export interface OnnxLabel {
  /** A type of the stage, such as `prompt_injection` or `harassment`. */
  readonly type: string;
  /** The probability from which the model is right often enough: it becomes the stage's threshold. Default 0.5. */
  readonly threshold?: number | undefined;
}

/** Options of {@link createOnnxClassifier}. */
export interface OnnxClassifierOptions extends OnnxModelOptions {
  /**
   * By the names in the model's `id2label`, without `B-` and `I-`; classes that are not named here count for nothing.
   * For a model that reads its labels, any words.
   */
  readonly labels: Readonly<Record<string, OnnxLabel | string>>;
}

/**
 * Makes a classifier from a local ONNX model: one that judges texts, labels tokens (BIO) or reads its labels (GLiNER);
 * the last two give the place of each finding.
 * A text that is longer than the model reads is cut, and each type gets the largest probability of the
 * parts. `threshold` moves to 0.5, in straight lines on both sides; of several classes of one type the
 * most likely one counts.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOnnxClassifier(options: OnnxClassifierOptions): Classifier & Closable {
  const labels = checkLabels(options.labels);
  const entities = [...labels].map(([label, { type, threshold }]) => ({ label, type, threshold }));
  const model = resolveModel(options);
  const thread = createModelThread(options, { task: 'classify', model, entities });
  return Object.freeze({
    async classify(texts: readonly string[], signal: AbortSignal) {
      const result = await thread.run(
        texts.map((text) => ({ text })),
        signal,
      );
      return toScores(result, labels);
    },
    close: thread.close,
  });
}

/** A label whose threshold is known. */
interface CheckedLabel extends OnnxLabel {
  readonly threshold: number;
}

type Labels = ReadonlyMap<string, CheckedLabel>;

function checkLabels(value: unknown): Labels {
  const given = Object.entries(checkRecord('labels', value));
  if (given.length === 0) throw new PipelineConfigError('labels', 'expected at least one label');
  return new Map(given.map(([label, entry]) => [label, checkLabel(`labels.${label}`, entry)]));
}

function checkLabel(path: string, entry: unknown): CheckedLabel {
  const { type, threshold = 0.5 } =
    typeof entry === 'string'
      ? { type: entry }
      : checkRecord(path, entry, new Set(['type', 'threshold']));
  if (typeof type !== 'string' || type === '') {
    throw new PipelineConfigError(`${path}.type`, 'expected the name of a type');
  }
  if (typeof threshold === 'number' && threshold > 0 && threshold < 1) return { type, threshold };
  throw new PipelineConfigError(`${path}.threshold`, 'expected a number between 0 and 1');
}

function toScores(
  { labels: names, rows, spans }: ModelRows,
  labels: Labels,
): readonly (readonly ClassScore[])[] {
  if (spans !== undefined) return spans;
  for (const label of rows.length === 0 ? [] : labels.keys()) {
    if (names.includes(label)) continue;
    const known = names.join(', ');
    throw new BackendError('model', `the model has no label ${label}; it has ${known}`);
  }
  return rows.map((row) => {
    const scores = new Map<string, number>();
    names.forEach((name, at) => {
      const label = labels.get(name);
      if (label === undefined) return;
      const score = moveThreshold(row[at] as number, label.threshold);
      scores.set(label.type, Math.max(scores.get(label.type) ?? 0, score));
    });
    return [...scores].map(([type, score]) => ({ type, score }));
  });
}

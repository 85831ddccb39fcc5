import { BackendError } from '../backends/backend-error.ts';
import type { Closable, Judge, JudgeQuestion, JudgeVerdict, Judgment } from '../backends/types.ts';
import { windowsOf } from '../classified/text-windows.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import type { ModelRows } from './messages.ts';
import { createModelThread } from './model-thread.ts';
import type { OnnxModelOptions } from './options.ts';
import { resolveModel } from './options.ts';

/** Options of {@link createOnnxJudge}. */
export interface OnnxJudgeOptions extends OnnxModelOptions {
  /** What the classes mean. Default: `entailment`, `contradiction`, `neutral`, in any letter case. */
  readonly labels?: Readonly<Record<string, JudgeVerdict>> | undefined;
  /**
   * The one text that the model reads, with `{source}` and `{claim}` in their places. Default: the tokenizer joins
   * source and claim as a pair.
   */
  readonly template?: string | undefined;
}

const NLI_LABELS: Readonly<Record<string, JudgeVerdict>> = {
  entailment: 'supported',
  contradiction: 'contradicted',
  neutral: 'unknown',
};
const VERDICTS: readonly JudgeVerdict[] = ['supported', 'contradicted', 'unknown'];
const WINDOW = 1_200;
const OVERLAP = 200;
/** From here on a passage decides. */
const SURE = 0.5;

/**
 * Makes a judge from a local model of pairs (natural-language inference, MiniCheck, HHEM): the source is the premise, the
 * claim, after the question that it answers, the hypothesis. The number of a model with one output is the probability that the source supports the claim. A long source is read in windows: one
 * that entails the claim decides before one that contradicts it, as most are neutral.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOnnxJudge(options: OnnxJudgeOptions): Judge & Closable {
  const labels = checkLabels(options.labels ?? NLI_LABELS);
  const template = checkTemplate(options.template);
  const model = resolveModel(options);
  const thread = createModelThread(options, { task: 'classify', model, template });
  return Object.freeze({
    async judge({ claim, source, question }: JudgeQuestion, signal: AbortSignal) {
      const pair = question === undefined ? claim : `${question} ${claim}`;
      const inputs = windowsOf(source, WINDOW, OVERLAP).map(({ start, end }) => ({
        text: source.slice(start, end),
        pair,
      }));
      if (inputs.length === 0) throw new BackendError('answer', 'the source is empty');
      const answer = await thread.run(inputs, signal);
      requireLabels(answer.labels, options.labels === undefined ? [] : [...labels.keys()]);
      return toJudgment(answer, labels);
    },
    close: thread.close,
  });
}

function checkLabels(value: unknown): ReadonlyMap<string, JudgeVerdict> {
  const given = Object.entries(checkRecord('labels', value)).map(([label, verdict]) => {
    const known = VERDICTS.find((name) => name === verdict);
    if (known !== undefined) return [label.toLowerCase(), known] as const;
    throw new PipelineConfigError(`labels.${label}`, `expected one of ${VERDICTS.join(', ')}`);
  });
  const labels = new Map(given);
  if ([...labels.values()].includes('supported')) return labels;
  throw new PipelineConfigError('labels', 'expected a label that means supported');
}

function checkTemplate(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && ['{source}', '{claim}'].every((name) => value.includes(name))) {
    return value;
  }
  throw new PipelineConfigError('template', 'expected a text with {source} and {claim}');
}

/** Each label that the options name must be one of the model. */
function requireLabels(names: readonly string[], labels: readonly string[]): void {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const other = labels.find((label) => !known.has(label));
  if (other === undefined) return;
  throw new BackendError('model', `the model has no label ${other}; it has ${names.join(', ')}`);
}

function toJudgment(
  { labels: names, rows }: ModelRows,
  labels: ReadonlyMap<string, JudgeVerdict>,
): Judgment {
  const most: Record<JudgeVerdict, number> = { supported: 0, contradicted: 0, unknown: 0 };
  const verdicts = names.map((name) => labels.get(name.toLowerCase()));
  if (!verdicts.includes('supported')) {
    const known = names.join(', ');
    throw new BackendError('model', `the model has none of the expected labels; it has ${known}`);
  }
  for (const row of rows) {
    verdicts.forEach((verdict, at) => {
      if (verdict !== undefined) most[verdict] = Math.max(most[verdict], row[at] as number);
    });
  }
  const { supported, contradicted } = most;
  if (supported >= SURE) return { verdict: 'supported', score: supported };
  if (contradicted >= SURE) return { verdict: 'contradicted', score: contradicted };
  return { verdict: 'unknown', score: 1 - Math.max(supported, contradicted) };
}

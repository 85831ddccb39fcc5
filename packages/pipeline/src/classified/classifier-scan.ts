import { askAll } from '../backends/ask-all.ts';
import type { ClassifierLimits } from '../backends/backend-options.ts';
import { OVERLAP } from '../backends/backend-options.ts';
import type { Classifier, ClassScore, StageDependencies } from '../backends/types.ts';
import { EXPLANATIONS } from '../explanations.ts';
import type { StageRun } from '../stage-definition.ts';
import type { PreparedField, StageContext, StageFinding, TextRange } from '../types.ts';
import { windowsOf } from './text-windows.ts';
import { WatchedContext } from './watched-context.ts';

/** Windows that are asked about together. */
const GROUP = 4;
const PARALLEL = 2;
/** The rest of the stage's time is for reporting what came of it. */
const SHARE_OF_TIME = 0.8;
const KNOWN: Readonly<Record<string, string>> = EXPLANATIONS;

/** A classifier, and how a stage uses it. */
export interface ClassifierUse {
  readonly classifier: Classifier;
  readonly limits: ClassifierLimits;
  readonly dependencies: StageDependencies;
  readonly threshold: number;
  readonly known: ReadonlySet<string>;
  readonly enabled: ReadonlySet<string>;
  readonly minScore: number;
}

/** Runs a stage, then lets the classifier read what it read. */
export async function scanWithClassifier(
  context: StageContext,
  run: StageRun,
  use: ClassifierUse,
): Promise<void> {
  const watched = new WatchedContext(context);
  await run(watched);
  await classify(context, watched, use);
}

interface Window extends TextRange {
  readonly field: PreparedField;
  /** Those of the stage that begin in it. */
  readonly findings: readonly StageFinding[];
}

async function classify(
  context: StageContext,
  { findings, score }: WatchedContext,
  { classifier, limits, dependencies, ...scale }: ClassifierUse,
): Promise<void> {
  const windows = chooseWindows(context.fields, findings, limits);
  const groups = Array.from({ length: Math.ceil(windows.length / GROUP) }, (_, at) =>
    windows.slice(at * GROUP, (at + 1) * GROUP),
  );
  const { startTimer, onBackendError: onError } = dependencies;
  const waitMs = context.remainingMs * SHARE_OF_TIME;
  const ask = async (group: readonly Window[], signal: AbortSignal) => {
    const texts = group.map(({ field, start, end }) => field.text.slice(start, end));
    return checkAnswer(await classifier.classify(texts, signal), texts.length, scale.known);
  };
  const { signal } = context;
  const answers = await askAll(groups, ask, {
    parallel: PARALLEL,
    waitMs,
    signal,
    startTimer,
    onError,
  });
  let largest = score;
  groups.forEach((group, at) => {
    group.forEach((window, place) => {
      for (const said of answers[at]?.[place] ?? []) {
        if (!scale.enabled.has(said.type)) continue;
        const found = { type: said.type, score: toScale(said.score, scale.threshold) };
        largest = Math.max(largest, found.score);
        if (found.score >= scale.minScore) reportBeyond(context, window, found);
      }
    });
  });
  context.setScore(largest);
}

function chooseWindows(
  fields: readonly PreparedField[],
  findings: readonly StageFinding[],
  { maxWindows, windowLength }: ClassifierLimits,
): Window[] {
  const windows = fields.flatMap((field) => {
    const own = findings
      .filter((found) => found.field === field.field && found.contextIndex === field.contextIndex)
      .sort((a, b) => a.start - b.start);
    let first = 0;
    return windowsOf(field.text, windowLength, OVERLAP).map((range): Window => {
      while (first < own.length && (own[first] as TextRange).start < range.start) first++;
      let next = first;
      while (next < own.length && (own[next] as TextRange).start < range.end) next++;
      return { ...range, field, findings: own.slice(first, next) };
    });
  });
  const found = windows.filter((window) => window.findings.length > 0);
  const others = windows.filter((window) => window.findings.length === 0);
  return [...found, ...others].slice(0, maxWindows);
}

/**
 * Checks the answer of a classifier: one list of scores per text.
 *
 * @param known the types that a score may have
 * @throws TypeError for an unknown type, a score outside 0 to 1, and lists too few or too many
 */
export function checkAnswer(
  answer: unknown,
  count: number,
  known: ReadonlySet<string>,
): readonly (readonly ClassScore[])[] {
  const isScore = (value: unknown): boolean => {
    const { type, score } = (value ?? {}) as Readonly<Record<string, unknown>>;
    return known.has(type as string) && typeof score === 'number' && score >= 0 && score <= 1;
  };
  const isRow = (row: unknown): boolean => Array.isArray(row) && row.every(isScore);
  if (Array.isArray(answer) && answer.length === count && answer.every(isRow)) return answer;
  const types = [...known].join(', ');
  throw new TypeError(
    `a classifier must return one list per text, of types (${types}) with scores`,
  );
}

/** 0.5 becomes the stage's threshold, in straight lines on both sides. */
function toScale(score: number, threshold: number): number {
  return score < 0.5 ? score * 2 * threshold : threshold + (score - 0.5) * 2 * (1 - threshold);
}

/** Reports a window, unless the stage itself has something as bad of that type in it. */
function reportBeyond(context: StageContext, window: Window, found: ClassScore): void {
  const { field, start, end, findings } = window;
  if (findings.some(({ type, score }) => type === found.type && score >= found.score)) return;
  const place = field.contextIndex === undefined ? {} : { contextIndex: field.contextIndex };
  context.report({
    ...found,
    start,
    end,
    reason: `${KNOWN[found.type] ?? found.type}, says a classifier`,
    field: field.field,
    ...place,
  });
}

import { askAll } from '../backends/ask-all.ts';
import type { ClassifierLimits } from '../backends/backend-options.ts';
import { OVERLAP } from '../backends/backend-options.ts';
import type { Classifier, ClassScore, StageDependencies } from '../backends/types.ts';
import { EXPLANATIONS } from '../explanations.ts';
import { createRiskTally } from '../risk.ts';
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
  readonly isExempt: (value: string) => boolean;
  readonly needsPlace: boolean;
  /** The risks of types, for a stage whose score is the combined risk. */
  readonly risks?: Readonly<Record<string, number>> | undefined;
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
    return checkAnswer(await classifier.classify(texts, signal), texts, scale);
  };
  const { signal } = context;
  const answers = await askAll(groups, ask, {
    parallel: PARALLEL,
    waitMs,
    signal,
    startTimer,
    onError,
  });
  const said = windows.flatMap((window, at) =>
    (answers[Math.floor(at / GROUP)]?.[at % GROUP] ?? []).flatMap((one) =>
      scale.enabled.has(one.type) ? [toFinding(window, one, scale.threshold)] : [],
    ),
  );
  const further = united(said).filter(
    ({ window: { field }, finding: { start, end } }) =>
      !scale.isExempt(field.text.slice(start, end)),
  );
  const reported = further.filter(
    (one) => one.finding.score >= scale.minScore && isBeyond(one, scale.needsPlace),
  );
  for (const { finding } of reported) context.report(finding);
  const added = (scale.risks === undefined ? further : reported).map(({ finding }) => finding);
  context.setScore(scoreOf(score, findings, added, scale.risks));
}

/** The score of the stage with the findings of the classifier. */
function scoreOf(
  own: number,
  findings: readonly StageFinding[],
  added: readonly StageFinding[],
  risks: Readonly<Record<string, number>> | undefined,
): number {
  if (risks === undefined) return Math.max(own, ...added.map(({ score }) => score));
  const tally = createRiskTally(risks);
  for (const finding of [...findings, ...added]) tally.add(finding);
  return tally.risk();
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
 * @param use the types that a score may have, and whether each must have its place
 * @throws TypeError for an unknown type, a score outside 0 to 1, a place outside the text, and lists too few or too many
 */
export function checkAnswer(
  answer: unknown,
  texts: readonly string[],
  { known, needsPlace }: Pick<ClassifierUse, 'known' | 'needsPlace'>,
): readonly (readonly ClassScore[])[] {
  const isScore = (value: unknown, { length }: string): boolean => {
    const { type, score, start, end } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const isOfKind = known.has(type as string) && isBetween(score, 0, 1);
    if (start === undefined && end === undefined) return isOfKind && !needsPlace;
    const isPlace = Number.isInteger(start) && Number.isInteger(end) && isBetween(start, 0, length);
    return isOfKind && isPlace && isBetween(end, (start as number) + 1, length);
  };
  const isRow = (row: unknown, at: number): boolean =>
    Array.isArray(row) && row.every((value) => isScore(value, texts[at] ?? ''));
  if (Array.isArray(answer) && answer.length === texts.length && answer.every(isRow)) return answer;
  const types = [...known].join(', ');
  const place = needsPlace ? ', start and end' : '';
  throw new TypeError(
    `a classifier must return one list per text, of types (${types}) with scores from 0 to 1${place}`,
  );
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** 0.5 becomes the stage's threshold, in straight lines on both sides. */
function toScale(score: number, threshold: number): number {
  return score < 0.5 ? score * 2 * threshold : threshold + (score - 0.5) * 2 * (1 - threshold);
}

/** A finding of a classifier in a window, or in a part of it. */
interface Said {
  readonly window: Window;
  readonly isPart: boolean;
  readonly finding: StageFinding;
}

function toFinding(window: Window, said: ClassScore, threshold: number): Said {
  const { field } = window;
  const place = field.contextIndex === undefined ? {} : { contextIndex: field.contextIndex };
  const isPart = said.start !== undefined && said.end !== undefined;
  const finding = {
    type: said.type,
    score: toScale(said.score, threshold),
    start: window.start + (said.start ?? 0),
    end: said.end === undefined ? window.end : window.start + said.end,
    reason: `${KNOWN[said.type] ?? said.type}, says a classifier`,
    field: field.field,
    ...place,
  };
  return { window, isPart, finding };
}

/** Parts of one type that overlap, since windows do, are one. */
function united(said: readonly Said[]): Said[] {
  const kept: Said[] = [];
  for (const one of said) {
    const at = one.isPart ? kept.findIndex((other) => isSamePlace(one, other)) : -1;
    const other = kept[at];
    if (other === undefined) {
      kept.push(one);
      continue;
    }
    const [a, b] = [one.finding, other.finding];
    const start = Math.min(a.start, b.start);
    const [end, score] = [Math.max(a.end, b.end), Math.max(a.score, b.score)];
    kept[at] = { ...other, finding: { ...b, start, end, score } };
  }
  return kept;
}

function isSamePlace(one: Said, other: Said): boolean {
  const [a, b] = [one.finding, other.finding];
  const isSameText = a.field === b.field && a.contextIndex === b.contextIndex;
  return other.isPart && isSameText && a.type === b.type && a.start < b.end && b.start < a.end;
}

/** Whether the stage itself has nothing as bad of that type there, or, where places count, nothing at all. */
function isBeyond({ window: { findings }, isPart, finding }: Said, needsPlace: boolean): boolean {
  return !findings.some(({ type, score, start, end }) => {
    const isThere = !isPart || (start < finding.end && finding.start < end);
    return isThere && (needsPlace || (type === finding.type && score >= finding.score));
  });
}

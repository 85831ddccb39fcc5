import { askAll } from '../backends/ask-all.ts';
import type { Classifier, ClassScore, StageDependencies } from '../backends/types.ts';
import { checkRecord, checkSwitches } from '../config.ts';
import type { ClassifiedStageDefinition, StageRun } from '../stage-definition.ts';
import { checkCount, checkFraction } from '../stage-options.ts';
import type { ClassifiedStage } from '../stages.ts';
import type { PreparedField, StageContext, StageFinding, TextRange } from '../types.ts';
import { windowsOf } from './text-windows.ts';

interface Limits {
  /** The windows of a scan that are shown to the classifier. */
  readonly maxWindows: number;
  /** UTF-16 units of a window. */
  readonly windowLength: number;
}

const DEFAULTS: Limits = { maxWindows: 16, windowLength: 1_200 };
const OVERLAP = 200;
/** Windows that are asked about together. */
const GROUP = 4;
const PARALLEL = 2;
/** The rest of the stage's time is for reporting what came of it. */
const SHARE_OF_TIME = 0.8;
const REASON = 'reported by a classifier';

/** The option `classifier` of a stage: by default 16 windows a scan of 1,200 UTF-16 units. */
export type ClassifierOptions = { readonly [Name in keyof Limits]?: number | undefined };

/**
 * Makes the run of a stage that a classifier can help: after the stage itself, a classifier reads the
 * texts in windows, and what it says beyond the stage is reported and raises the score. It never lowers
 * anything, and where it fails or takes too long the stage stands as it is. The first windows to be read
 * are those in which the stage found something.
 *
 * Option: `classifier`, with `maxWindows` (16 a scan) and `windowLength` (1,200); checked also where
 * the pipeline has none.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createClassifiedRun(
  { name, types, classifier: scale, create }: ClassifiedStageDefinition,
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies: StageDependencies | undefined,
): StageRun {
  const { classifier: option, ...own } = options;
  const limits = checkLimits(option === undefined ? {} : option, `${path}.classifier`);
  const run = create(own, path, dependencies);
  const classifier = dependencies?.classifiers?.[name as ClassifiedStage];
  if (dependencies === undefined || classifier === undefined) return run;
  const help: Help = {
    classifier,
    limits,
    dependencies,
    threshold: scale.threshold,
    known: new Set(types),
    enabled: checkSwitches(`${path}.${scale.switches}`, own[scale.switches], types),
    minScore: checkFraction(`${path}.minScore`, own.minScore ?? scale.minScore),
  };
  const runClassified: StageRun = async (context) => {
    const watched = new WatchedContext(context);
    await run(watched);
    await classify(context, watched, help);
  };
  return Object.assign(runClassified, { load: run.load });
}

interface Help {
  readonly classifier: Classifier;
  readonly limits: Limits;
  readonly dependencies: StageDependencies;
  readonly threshold: number;
  readonly known: ReadonlySet<string>;
  readonly enabled: ReadonlySet<string>;
  readonly minScore: number;
}

function checkLimits(value: unknown, path: string): Limits {
  const given = checkRecord(path, value, new Set(Object.keys(DEFAULTS)));
  const { maxWindows, windowLength } = { ...DEFAULTS, ...given };
  return {
    maxWindows: checkCount(`${path}.maxWindows`, maxWindows, 0, 10_000),
    windowLength: checkCount(`${path}.windowLength`, windowLength, 4 * OVERLAP, 100_000),
  };
}

/** Passes everything on, and keeps what the stage says. */
class WatchedContext implements StageContext {
  readonly fields: readonly PreparedField[];
  readonly checkpoint: () => Promise<void> | undefined;
  readonly findings: StageFinding[] = [];
  score = 0;
  readonly #context: StageContext;

  constructor(context: StageContext) {
    this.fields = context.fields;
    this.checkpoint = context.checkpoint;
    this.#context = context;
  }

  readonly report = (finding: StageFinding): void => {
    this.#context.report(finding);
    this.findings.push(finding);
  };

  readonly setScore = (score: number | null): void => {
    this.#context.setScore(score);
    this.score = score ?? 0;
  };

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get remainingMs(): number {
    return this.#context.remainingMs;
  }
}

interface Window extends TextRange {
  readonly field: PreparedField;
  /** Those of the stage that begin in it. */
  readonly findings: readonly StageFinding[];
}

async function classify(
  context: StageContext,
  { findings, score }: WatchedContext,
  { classifier, limits, dependencies, ...scale }: Help,
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
  { maxWindows, windowLength }: Limits,
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

/** A classifier of one's own may give anything. */
function checkAnswer(
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
  context.report({ ...found, start, end, reason: REASON, field: field.field, ...place });
}

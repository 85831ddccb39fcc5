import { isAssertionType, isToolName } from '../assertions/types.ts';
import type { Kept, KeptObject } from '../json/shape.ts';
import type { PromptName } from '../redaction/label.ts';
import { PROMPT_HEAD, partsOf } from '../redaction/label.ts';
import { redactAgain, redactReason } from '../redaction/reason.ts';
import type { Steps } from '../steps.ts';
import type {
  EvaluationAssertion,
  EvaluationPlugin,
  EvaluationResult,
  NamedScores,
} from '../types.ts';
import { contradictionOf } from './contradiction.ts';
import { SCORE_NAMES } from './file-shape.ts';
import { providerOf } from './provider.ts';
import {
  arrayOf,
  countOf,
  isObject,
  isShare,
  numberOf,
  objectOf,
  stringsOf,
  textOf,
} from './values.ts';
import type { Warnings } from './warnings.ts';

/** A result of which the prompt's name is still to be compared with the prompts of the whole file. */
export interface ReducedResult extends Omit<EvaluationResult, 'promptLabel' | 'ordinal'> {
  /** 0 unless the file was made for sending and gives another. */
  readonly ordinal: number;
  readonly prompt: PromptName;
  /** The beginning of the prompt's text; null when the file has none. */
  readonly promptHead: string | null;
}

/** What a file says about all its results. */
export interface ReductionOptions {
  /** Whether the file says that it was made for sending, with reasons that have been redacted. */
  readonly isRedacted: () => boolean;
  readonly warnings: Warnings;
}

/** What the tool writes in place of a text when it is told to leave texts out. */
const STRIPPED = /^\[(?:prompt|output) stripped\]$/;

/** How much of an error's text is looked at for an HTTP status. */
const MAX_STATUS_TEXT = 100;

/** Results for which one may stand. */
const MAX_REPEAT = 1_000_000;

/** What the tool writes where a judge gave no score. */
const NO_SCORE = -1;

/** Different assertion types of one result that are kept; the tool has fewer. */
const MAX_ASSERTIONS = 50;

/** Keeps of a result what may be kept. */
export function* reduceResult(
  result: KeptObject,
  { isRedacted, warnings }: ReductionOptions,
): Steps<ReducedResult> {
  const grading = objectOf(result.get('gradingResult'));
  const success = successOf(result, grading, warnings);
  const prompt = objectOf(result.get('prompt'));
  const raw = textOf(prompt.get('raw'));
  const hasRaw = raw !== null && !STRIPPED.test(raw);
  const isSlim = isRedacted() && !hasTexts(result);
  const count = isSlim ? repeatOf(result) : 1;
  const failureReason = failureReasonOf(result);
  const error = success ? null : errorOf(result, failureReason);
  const label = textOf(prompt.get('label')) ?? textOf(prompt.get('display'));
  return {
    provider: providerOf(result, warnings),
    count,
    ordinal: isSlim ? (countOf(result.get('ordinal')) ?? 0) : 0,
    success,
    contradiction: success ? contradictionOf(result, warnings, count) : null,
    score: scoreOf(result, grading, warnings),
    namedScores: namedScoresOf(result, grading, warnings),
    assertions: assertionsOf(result, grading, warnings),
    plugin: pluginOf(result, grading, warnings),
    failureReason: error ? 2 : failureReason,
    graderError: lacksGrade(grading),
    error,
    gradingReason: success ? null : yield* reasonOf(result, { error, isSlim }),
    totalTokens: tokensOf(result, warnings),
    latencyMs: countOf(result.get('latencyMs')),
    prompt: {
      label,
      promptId: textOf(result.get('promptId')),
      isText: hasRaw ? yield* isPart(label, raw) : !isSlim,
    },
    promptHead: hasRaw ? raw.slice(0, PROMPT_HEAD) : null,
  };
}

function* isPart(label: string | null, raw: string): Steps<boolean> {
  return label !== null && (yield* partsOf([label], [raw])).has(label);
}

/**
 * Whether a result has texts that a file made for sending leaves out: then it is redacted like any other, whatever the
 * file says of itself.
 */
function hasTexts(result: KeptObject): boolean {
  const prompt = objectOf(result.get('prompt'));
  const response = objectOf(result.get('response'));
  const testCase = objectOf(result.get('testCase'));
  return (
    prompt.has('raw') ||
    prompt.has('display') ||
    [...response.keys()].some((name) => name !== 'tokenUsage') ||
    result.has('vars') ||
    testCase.has('vars') ||
    !textsIn([], describedOf(result)).next().done
  );
}

/** Results for which one of a file made for sending stands; at most a million. */
function repeatOf(result: KeptObject): number {
  const repeat = countOf(result.get('repeat')) ?? 1;
  return Math.min(Math.max(repeat, 1), MAX_REPEAT);
}

/** The score of the result, or of its grading. */
function scoreOf(result: KeptObject, grading: KeptObject, warnings: Warnings): number | null {
  const scores = [result.get('score'), grading.get('score')];
  const numbers = scores.map(numberOf).filter((number) => number !== null);
  const score = numbers.find((number) => isShare(number) || number === NO_SCORE);
  if (score !== undefined) return score;
  if (numbers.length > 0) {
    warnings.add('# with a score that is neither from 0 to 1 nor -1: it is left out.');
  }
  return null;
}

function successOf(result: KeptObject, grading: KeptObject, warnings: Warnings): boolean {
  const success = result.get('success') ?? grading.get('pass');
  if (typeof success === 'boolean') return success;
  warnings.add('# without success or gradingResult.pass counted as failing.');
  return false;
}

function failureReasonOf(result: KeptObject): 0 | 1 | 2 | null {
  const reason = result.get('failureReason');
  return reason === 0 || reason === 1 || reason === 2 ? reason : null;
}

/** Versions that do not say why a result failed leave out the grading of a test that did not run. */
function errorOf(result: KeptObject, failureReason: 0 | 1 | 2 | null): EvaluationResult['error'] {
  const text = textOf(result.get('error')) ?? '';
  const isUngraded = !isObject(result.get('gradingResult'));
  const isError = failureReason === 2 || (failureReason !== 1 && isUngraded && text !== '');
  if (!isError) return null;
  return { status: statusOf(text) };
}

/** The HTTP status that an error's text begins with, as in `API Error: 429`. Each word is read in one way only. */
function statusOf(text: string): number | null {
  const start = text.slice(0, MAX_STATUS_TEXT);
  const status = /^(?:API |Error:? ?|HTTP ?)*([1-5]\d\d)(?!\w)/i.exec(start)?.[1];
  return status === undefined ? null : Number(status);
}

function namedScoresOf(result: KeptObject, grading: KeptObject, warnings: Warnings): NamedScores {
  // What stands at the result remains when the grading was left out.
  const scores = [objectOf(grading.get('namedScores')), objectOf(result.get('namedScores'))];
  const given = scores.find(({ size }) => size > 0);
  const kept: { faithfulness?: number; toxicity?: number } = {};
  for (const name of SCORE_NAMES) {
    const values = [...(given ?? [])]
      .filter(([key]) => key.toLowerCase() === name)
      .map(([, value]) => value);
    const valid = values.filter(isShare);
    if (valid.length < values.length) {
      warnings.add(
        `# with a score ${name} that is no number from 0 to 1: it maps to no obligation.`,
      );
    }
    // Names that differ in case only: the worse score counts, in whatever order they stand.
    if (valid.length > 0)
      kept[name] = name === 'faithfulness' ? Math.min(...valid) : Math.max(...valid);
  }
  return kept;
}

function componentsOf(grading: KeptObject): KeptObject[] {
  return arrayOf(grading.get('componentResults')).filter(isObject);
}

/** Whether a judge returned no grade, and no other assertion failed, which would be a result by itself. */
function lacksGrade(grading: KeptObject): boolean {
  const components = componentsOf(grading);
  return (
    components.some(isUngraded) && !components.some((component) => gradeOf(component) === false)
  );
}

/** Those that were graded; when the grading is missing, those of the test. */
function assertionsOf(
  result: KeptObject,
  grading: KeptObject,
  warnings: Warnings,
): EvaluationAssertion[] {
  const tests = arrayOf(objectOf(result.get('testCase')).get('assert')).map((assertion) =>
    textOf(objectOf(assertion).get('type')),
  );
  const components = componentsOf(grading);
  const typeAt = areParallel(components, tests) ? tests : [];
  const graded = components.map((component, index) =>
    toAssertion(typeIn(component) ?? typeAt[index], gradeOf(component)),
  );
  const single = [toAssertion(typeIn(grading), grading.get('pass'))];
  const planned = tests.map((type) => toAssertion(type, null));
  // The component of a set of assertions has none of its own.
  const given = [graded, single, planned]
    .map((list) => list.filter((assertion) => assertion !== null))
    .find((list) => list.length > 0);
  const named = (given ?? []).filter(({ type }) => isAssertionType(type));
  if (given && named.length < given.length) {
    warnings.add('# with an assertion type that is no name: it is left out.');
  }
  // Equal ones say the same.
  const different = new Map(named.map((each) => [`${each.type} ${each.passed}`, each]));
  if (different.size > MAX_ASSERTIONS) {
    warnings.add(`# with more than ${MAX_ASSERTIONS} assertion types: further ones are left out.`);
  }
  return [...different.values()].slice(0, MAX_ASSERTIONS);
}

/**
 * Whether each component was made by the assertion of the test in the same position: then that assertion is the type
 * of a component that names none.
 */
function areParallel(components: readonly KeptObject[], tests: ReadonlyArray<string | null>) {
  return (
    components.length === tests.length &&
    components.every((component, index) => [null, tests[index]].includes(typeIn(component)))
  );
}

function typeIn(graded: KeptObject): string | null {
  return textOf(objectOf(graded.get('assertion')).get('type'));
}

/** The grade of a component; none where its judge returned none. */
function gradeOf(component: KeptObject): Kept | undefined {
  return isUngraded(component) ? undefined : component.get('pass');
}

function isUngraded(component: KeptObject): boolean {
  return objectOf(component.get('metadata')).get('graderError') === true;
}

function toAssertion(type: string | null | undefined, passed: Kept | undefined) {
  if (!type) return null;
  return { type, passed: typeof passed === 'boolean' ? passed : null };
}

/** The severities that the tool knows. */
const SEVERITIES: ReadonlySet<string> = new Set([
  ...['critical', 'high', 'medium', 'low', 'informational', 'none'],
]);

function pluginOf(result: KeptObject, grading: KeptObject, warnings: Warnings): EvaluationPlugin {
  const sources = [
    objectOf(objectOf(result.get('testCase')).get('metadata')),
    objectOf(result.get('metadata')),
    // A component that passed does not describe the failure.
    ...componentsOf(grading)
      .filter((component) => component.get('pass') !== true)
      .map((component) => objectOf(component.get('metadata'))),
  ];
  const find = (name: string, isKnown: (text: string) => boolean) => {
    const texts = sources.flatMap((source) => textOf(source.get(name)) ?? []);
    const found = texts.find(isKnown) ?? null;
    if (texts.length > 0 && found === null) {
      warnings.add(`# with a ${name} that is no name of the tool: it is left out.`);
    }
    return found;
  };
  return {
    pluginId: find('pluginId', isToolName),
    severity: find('severity', (text) => SEVERITIES.has(text)),
    strategyId: find('strategyId', isToolName),
  };
}

function tokensOf(result: KeptObject, warnings: Warnings): number | null {
  const response = objectOf(result.get('response'));
  const totals = [result, response].map((object) =>
    objectOf(object.get('tokenUsage')).get('total'),
  );
  const counts = totals.map(countOf);
  if (totals.some((total, index) => numberOf(total) !== null && counts[index] === null)) {
    warnings.add('# with a number of tokens below 0 or above 10^12: it is left out.');
  }
  return counts.find((count) => count !== null) ?? null;
}

function* reasonOf(
  result: KeptObject,
  { error, isSlim }: { error: EvaluationResult['error']; isSlim: boolean },
): Steps<string> {
  if (error) {
    const status = error.status === null ? '' : ` (HTTP ${error.status})`;
    return `The evaluation returned an error${status}.`;
  }
  const reason = textOf(objectOf(result.get('gradingResult')).get('reason'));
  if (reason === null || reason === '') return 'No grading result.';
  const kept = isSlim
    ? yield* redactAgain(reason)
    : yield* redactReason(reason, comparableTexts(result));
  return kept ?? 'The reason is not kept.';
}

/** The texts that a reason may quote; null when the prompt or the output was left out of the file. */
function comparableTexts(result: KeptObject): Iterable<string> | null {
  const prompt = objectOf(result.get('prompt'));
  const raw = textOf(prompt.get('raw'));
  const response = objectOf(result.get('response'));
  const outputs = [response.get('output'), response.get('raw')].filter(
    (value) => value !== undefined,
  );
  if (raw === null || STRIPPED.test(raw) || outputs.length === 0) return null;
  if (outputs.some(isStripped)) return null;
  const testCase = objectOf(result.get('testCase'));
  return textsIn(
    [raw, textOf(prompt.get('label')) ?? ''],
    [
      response,
      response.get('metadata'),
      result.get('vars'),
      testCase.get('vars'),
      ...describedOf(result),
    ],
  );
}

/** What describes a test and its grading: assertions with their values, and metadata. */
function describedOf(result: KeptObject): Array<Kept | undefined> {
  const grading = objectOf(result.get('gradingResult'));
  const testCase = objectOf(result.get('testCase'));
  const components = componentsOf(grading);
  return [
    grading.get('assertion'),
    ...components.map((component) => component.get('assertion')),
    ...arrayOf(testCase.get('assert')),
    result.get('metadata'),
    testCase.get('metadata'),
    ...components.map((component) => component.get('metadata')),
  ];
}

/** Whether the tool has left out a text. */
function isStripped(value: Kept): boolean {
  const [text = '', ...others] = stringsOf(value).slice(0, 2);
  return others.length === 0 && STRIPPED.test(text);
}

/** The texts, and those of the values and of their members, one after another: there may be a million. */
function* textsIn(texts: readonly string[], values: readonly (Kept | undefined)[]) {
  yield* texts;
  for (const value of values) {
    yield* stringsOf(value);
    for (const member of objectOf(value).values()) yield* stringsOf(member);
  }
}

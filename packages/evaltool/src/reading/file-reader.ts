import { EvaluationError } from '../errors.ts';
import { byProvider } from '../evidence/providers.ts';
import type { Kept, KeptObject, Shape, TokenTap } from '../json/shape.ts';
import { partsOf, toPromptLabel } from '../redaction/label.ts';
import type { Steps } from '../steps.ts';
import type {
  Evaluation,
  EvaluationPart,
  EvaluationResult,
  EvaluationStats,
  EvaluationVersion,
  TokenUsage,
} from '../types.ts';
import { countResults } from './counts.ts';
import { fileShape } from './file-shape.ts';
import type { ReducedResult } from './reduce-result.ts';
import { ResultList } from './result-list.ts';
import { ResultsDigest } from './results-digest.ts';
import { toTime } from './time.ts';
import { arrayOf, countOf, isObject, numberOf, objectOf, textOf } from './values.ts';

/** Limits of what is read. */
export interface ReadOptions {
  /** More results are refused; default: no limit. */
  readonly maxResults?: number;
}

/** Members that give the time of an evaluation, in a file or its results. */
const TIME_NAMES: ReadonlySet<string> = new Set(['timestamp', 'createdAt', 'evaluationCreatedAt']);

/** The tool's versions before this one are not supported (specification, "Evidence import"). */
const OLDEST_TOOL = [0, 40, 0] as const;

/** A version with the name and number of a release before it, which is no place for a text. */
const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:-[a-z]{1,8}(?:\.\d{1,4})?)?$/;

/** Where the members of an evaluation stand in a file. */
interface Located {
  readonly file: KeptObject;
  /** The object beside whose results the version stands: the file, or its member `results`. */
  readonly summary: KeptObject;
  readonly list: ResultList;
  readonly isNested: boolean;
  readonly path: string;
}

/** Reads an output file within a JSON text. */
export class FileReader {
  readonly shape: Shape;
  readonly #path: string;
  readonly #maxResults: number;
  readonly #digest = new ResultsDigest();
  readonly #flat: ResultList;
  readonly #nested: ResultList;
  /** A file with a time is identified by it: its content need not be. */
  #hasTime = false;
  #isRedacted = false;

  /** @param path of the file's value, `evaltoolOutput` in the body of an import */
  constructor(path: string, { maxResults = Number.POSITIVE_INFINITY }: ReadOptions) {
    this.#path = path;
    this.#maxResults = maxResults;
    const options = { limit: maxResults, isRedacted: () => this.#isRedacted };
    this.#flat = new ResultList(options);
    const digest = this.#digest;
    this.#nested = new ResultList({
      ...options,
      tap: this.#tapOf(digest),
    });
    this.shape = fileShape({ flat: this.#flat, nested: this.#nested }, (name) =>
      this.#onName(name),
    );
  }

  #tapOf(digest: ResultsDigest): TokenTap {
    const isTimeless = () => !this.#hasTime;
    return {
      get wantsTexts() {
        return isTimeless();
      },
      token(kind, value, isName) {
        if (isTimeless()) digest.token(kind, value, isName);
      },
    };
  }

  /** Spares the work to identify the content when its digest is given. */
  onDigestGiven(): void {
    this.#hasTime = true;
  }

  #onName(name: string): void {
    if (TIME_NAMES.has(name)) this.#hasTime = true;
    if (name === 'redactionVersion') this.#isRedacted = true;
    if (name === 'results') this.#digest.clear();
  }

  /** Work that is to be done after each part of the text. */
  *reduce(): Steps<void> {
    yield* this.#flat.reduce();
    yield* this.#nested.reduce();
  }

  /**
   * The evaluation, after the whole text has been read.
   * @param contentDigest as given beside the file
   * @throws EvaluationError `invalid_evaluation`
   */
  *finish(value: Kept | undefined, contentDigest: string | null): Steps<Evaluation> {
    const located = this.#locate(value);
    const version = versionOf(located);
    this.#checkResults(located);
    const time = timeOf(located);
    const digest = time === null ? this.#digestOf(located, version, contentDigest) : null;
    const { list, summary, file } = located;
    const part = this.#isRedacted ? partOf(file) : null;
    const labelled = yield* withLabels(list.results, promptsOf(located), headsOf(located));
    const results = labelled.map((result) => ofPart(result, part));
    const stats = countResults(results);
    const warnings = list.warnings.toArray();
    if (time === null) warnings.push(NO_TIME);
    if (differs(stats, objectOf(summary.get('stats') ?? file.get('stats')))) {
      warnings.push('The counts in stats differ from the results, which were counted instead.');
    }
    const toolVersion = toolVersionOf(file, warnings);
    const tokenUsage = tokenUsageOf(results, objectOf(summary.get('stats') ?? file.get('stats')));
    const evaluation = { version, time, contentDigest: digest, toolVersion, results };
    return { ...(part && { part }), ...evaluation, stats, tokenUsage, warnings };
  }

  #locate(value: Kept | undefined): Located {
    if (value === undefined) throw invalid(this.#path, 'is missing');
    if (!isObject(value)) throw invalid(this.#path, 'must be an object');
    const results = value.get('results');
    const isNested = isObject(results);
    const summary = isNested ? results : value;
    const list = isNested ? this.#nested : this.#flat;
    const path = isNested ? join(this.#path, 'results') : this.#path;
    return { file: value, summary, list, isNested, path };
  }

  #checkResults({ summary, list, path }: Located): void {
    const results = summary.get('results');
    const at = join(path, 'results');
    if (results === undefined) throw invalid(at, 'is missing');
    if (!Array.isArray(results)) throw invalid(at, 'must be an array');
    const { count, badIndex } = list;
    if (count === 0) throw invalid(at, 'is empty; at least one result is needed');
    if (count > this.#maxResults) {
      throw invalid(at, `has ${count} results; at most ${this.#maxResults} are accepted`);
    }
    if (badIndex >= 0) throw invalid(`${at}[${badIndex}]`, 'must be an object');
  }

  #digestOf(located: Located, version: EvaluationVersion, given: string | null): string {
    if (given !== null) return given;
    // Only old versions of the tool wrote files without a time.
    if (!located.isNested || version !== 2 || this.#hasTime) {
      const isMissing = timesOf(located).every((time) => time === undefined || time === null);
      const problem = isMissing
        ? 'is required: the time of the evaluation in ISO 8601'
        : 'must be a time in ISO 8601';
      throw invalid(join(located.path, 'timestamp'), problem);
    }
    const digest = this.#digest.toHex();
    if (digest !== null) return digest;
    throw invalid(
      join(located.path, 'results'),
      'cannot be identified without a timestamp: a result is nested more than 64 levels deep, or has an object of more than 10,000 members',
    );
  }
}

const NO_TIME =
  'The file names no time: it is identified by its content, and an identical second run is taken for the same.';

function versionOf({ file, summary, isNested, path }: Located): EvaluationVersion {
  const version = summary.get('version') ?? (isNested ? file.get('version') : undefined);
  if (version === 2 || version === 3) return version;
  const at = join(path, 'version');
  if (version === undefined) throw invalid(at, 'is missing; 2 and 3 are supported');
  throw invalid(at, 'must be 2 or 3');
}

/** The values that may give the time, the most specific first. */
function timesOf({ file, summary }: Located): ReadonlyArray<Kept | undefined> {
  return [
    summary.get('timestamp'),
    file.get('timestamp'),
    file.get('createdAt'),
    objectOf(file.get('metadata')).get('evaluationCreatedAt'),
  ];
}

function timeOf(located: Located): string | null {
  return (
    timesOf(located)
      .map(toTime)
      .find((time) => time !== null) ?? null
  );
}

/** The prompts and templates that stand beside the results. */
function promptsOf({ file, summary }: Located): string[] {
  const prompts = [summary, file].flatMap((source) => {
    const ofTable = objectOf(objectOf(source.get('table')).get('head')).get('prompts');
    return [...arrayOf(source.get('prompts')), ...arrayOf(ofTable)];
  });
  return prompts.flatMap((prompt) => textOf(objectOf(prompt).get('raw')) ?? []);
}

/** Beginnings of the prompts of the results. */
function headsOf({ list }: Located): string[] {
  return [...new Set(list.results.flatMap(({ promptHead }) => promptHead ?? []))];
}

function* withLabels(
  results: readonly ReducedResult[],
  prompts: readonly string[],
  heads: readonly string[],
): Steps<Array<EvaluationResult & { readonly ordinal: number }>> {
  const given = results.flatMap(({ prompt: { label } }) => label ?? []);
  const parts = yield* partsOf([...new Set(given)], [...heads, ...prompts]);
  return results.map(({ prompt, promptHead: _, ...result }) => ({
    ...result,
    promptLabel: toPromptLabel(prompt, parts),
  }));
}

function partOf(file: KeptObject): EvaluationPart | null {
  const part = file.get('part');
  return part === 'summary' || part === 'failures' ? part : null;
}

/** Sums of failing results are for a summary only, ordinals for failures that are sent apart from it. */
function ofPart(
  { ordinal, ...result }: EvaluationResult & { readonly ordinal: number },
  part: EvaluationPart | null,
): EvaluationResult {
  if (part === 'failures') return { ...result, count: 1, ordinal };
  return part === 'summary' || result.success ? result : { ...result, count: 1 };
}

/** Versions without a count of errors count them as failures. */
function differs({ successes, failures, errors }: EvaluationStats, given: KeptObject): boolean {
  if (given.size === 0) return false;
  const count = (name: string) => numberOf(given.get(name)) ?? 0;
  return (
    count('successes') !== successes || count('failures') + count('errors') !== failures + errors
  );
}

/** The tokens of the whole file, marked as shared where it has several providers. */
function tokenUsageOf(results: readonly EvaluationResult[], stats: KeptObject): TokenUsage | null {
  const usage = objectOf(stats.get('tokenUsage'));
  const total = countOf(usage.get('total'));
  if (total === null || results.some(({ totalTokens }) => totalTokens !== null)) return null;
  const isShared = usage.get('scope') === 'evaluation' || byProvider(results).length > 1;
  return isShared ? { total, scope: 'evaluation' } : { total };
}

function toolVersionOf(file: KeptObject, warnings: string[]): string | null {
  const version = textOf(objectOf(file.get('metadata')).get('promptfooVersion'));
  const numbers = VERSION.exec(version ?? '');
  if (!version || !numbers) return null;
  const parts = numbers.slice(1, 4).map(Number);
  const differing = parts.findIndex((part, index) => part !== OLDEST_TOOL[index]);
  if (differing >= 0 && (parts[differing] as number) < (OLDEST_TOOL[differing] as number)) {
    warnings.push(
      `The tool's version ${version} is below ${OLDEST_TOOL.join('.')}, which is the oldest supported.`,
    );
  }
  return version;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function invalid(path: string, problem: string): EvaluationError {
  const name = path === '' ? 'The file' : path;
  return new EvaluationError('invalid_evaluation', path, `${name} ${problem}.`);
}

import { StreamTooLongError } from '../errors.ts';
import type { Pipeline } from '../pipeline.ts';
import type { PolicyDecision } from '../policy.ts';
import { evaluatePolicies } from '../policy.ts';
import type { JsonNumbers } from '../redaction/json-numbers.ts';
import { createJsonNumbers } from '../redaction/json-numbers.ts';
import { numbersOf, quoteMarks, withNumber } from '../redaction/quote-numbers.ts';
import type { RedactionMark, Redactor } from '../redaction/redactor.ts';
import { createRedactor, mergeOverlaps } from '../redaction/redactor.ts';
import type { Finding, ScanInput, ScanResult, TextRange } from '../types.ts';
import { dueEnd, dueLength } from './due.ts';
import type { EarlyFindings } from './early-findings.ts';
import { createEarlyFindings } from './early-findings.ts';
import { GatheredText } from './gathered-text.ts';
import { isSettled, releasePoint } from './release.ts';
import { SENTENCE_SIGN, settledSentences } from './sentences.ts';
import type { StreamLimits, StreamScannerOptions } from './stream-options.ts';

/** What is known after an increment. */
export interface StreamStep {
  /** How much of the response, from its beginning, has been passed on by now. Never falls. */
  readonly releasable: number;
  /** What may be passed on now and has not been before, with replacements where a policy redacts. */
  readonly text: string;
  /** Found since the step before, offsets in the whole response; each finding is reported once. */
  readonly findings: readonly Finding[];
  /** Whether the stream is over: it has ended, or a policy blocks it. */
  readonly final: boolean;
  /** What the policies say of the whole response; of what is there so far where it is blocked. */
  readonly decision?: PolicyDecision;
  /**
   * At the end: what `Pipeline.scan` gives for the whole response. Where a policy blocks before: what was found until
   * then, with the scores and stages of the last scan.
   */
  readonly result?: ScanResult;
}

/** The steps of a stream for one caller that waits for each before the next. */
export interface StreamSteps {
  /**
   * Decides on prompt, context and system text, before there is a response.
   *
   * @returns the last step where a policy blocks it; undefined where the model may be started
   */
  begin(): Promise<StreamStep | undefined>;
  /** How much of the response has been passed on. UTF-16 units. */
  readonly released: number;
  /**
   * Takes the next part of the response, cut anywhere.
   *
   * @returns undefined where no scan is due yet: parts of a few characters cost no promise
   * @throws StreamTooLongError when the response gets too long; nothing more is passed on
   */
  take(increment: string): Promise<StreamStep> | undefined;
  /** Scans the whole response and returns what is left. */
  end(increment: string): Promise<StreamStep>;
  /** Adds ranges that are replaced beside what the policies redact, as far as they have not been passed on. */
  redact(marks: readonly RedactionMark[]): void;
}

interface StreamState {
  readonly gathered: GatheredText;
  /** The length of the response at which it is scanned next. */
  due: number;
  /**
   * What is not passed on yet and what comes before it, from `tailStart` on. To add to the whole text and
   * cut from it would copy the whole each time.
   */
  tail: string;
  tailStart: number;
  /** What is replaced beside what the policies redact. */
  readonly marks: RedactionMark[];
  /** Reads the released text, for the numbers of JSON in it. */
  readonly numbers: JsonNumbers;
  released: number;
  scannedTo: number;
  work: number;
  final: boolean;
}

interface StreamParts {
  readonly pipeline: Pipeline;
  readonly options: StreamScannerOptions;
  readonly limits: StreamLimits;
  readonly state: StreamState;
  readonly early: EarlyFindings;
  readonly redactor: Redactor;
}

/** Shorter sentences are scanned together. */
const LEAST_SENTENCE = 16;

const NOTHING_SCANNED = { released: 0, scannedTo: 0, work: 0 };

/** @param limits those of the options, checked */
export function createStreamSteps(
  pipeline: Pipeline,
  options: StreamScannerOptions,
  limits: StreamLimits,
): StreamSteps {
  const state: StreamState = {
    gathered: new GatheredText(),
    due: dueLength(NOTHING_SCANNED, limits),
    released: 0,
    scannedTo: 0,
    work: 0,
    tail: '',
    tailStart: 0,
    marks: [],
    numbers: createJsonNumbers(),
    final: false,
  };
  const parts: StreamParts = {
    pipeline,
    options,
    limits,
    state,
    early: createEarlyFindings(),
    redactor: options.redactor ?? createRedactor(),
  };
  return new GatheringSteps(parts);
}

// A class, and a number in place of comparisons: `take` runs for each token of an answer.
class GatheringSteps implements StreamSteps {
  readonly #parts: StreamParts;
  readonly #gathered: GatheredText;
  readonly #isChat: boolean;
  /** The length at which something is to be done next. */
  #awaited: number;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#gathered = parts.state.gathered;
    this.#isChat = parts.limits.isChat;
    this.#awaited = awaitedLength(parts);
  }

  /** A sentence has ended where another one begins: after a blank and a sign. */
  #awaitNextSentence(): void {
    const { scannedTo } = this.#parts.state;
    const next = Math.max(this.#gathered.length + 2, scannedTo + LEAST_SENTENCE);
    this.#awaited = Math.min(this.#awaited, next);
  }

  get released(): number {
    return this.#parts.state.released;
  }

  async begin(): Promise<StreamStep | undefined> {
    const step = await judgeAsked(this.#parts);
    if (step) this.#awaited = 0;
    return step;
  }

  take(increment: string): Promise<StreamStep> | undefined {
    this.#gathered.add(increment);
    if (this.#isChat && SENTENCE_SIGN.test(increment)) this.#awaitNextSentence();
    if (this.#gathered.length < this.#awaited) return undefined;
    this.#requireOpen();
    return this.#scan();
  }

  redact(marks: readonly RedactionMark[]): void {
    this.#parts.state.marks.push(...marks);
  }

  async end(increment: string): Promise<StreamStep> {
    this.#gathered.add(increment);
    this.#requireOpen();
    this.#awaited = 0;
    return finish(this.#parts);
  }

  async #scan(): Promise<StreamStep> {
    const step = await scanNew(this.#parts);
    this.#awaited = awaitedLength(this.#parts);
    return step;
  }

  #requireOpen(): void {
    const { state, limits } = this.#parts;
    if (state.final) throw new Error('the stream has ended');
    if (state.gathered.length <= limits.maxLength) return;
    state.final = true;
    this.#awaited = 0;
    throw new StreamTooLongError(limits.maxLength);
  }
}

/** The length at which the next scan is due or the response is too long. */
function awaitedLength({ state, limits }: StreamParts): number {
  return state.final ? 0 : Math.min(state.due, limits.maxLength + 1);
}

async function judgeAsked(parts: StreamParts): Promise<StreamStep | undefined> {
  const { pipeline, options, state, early } = parts;
  const { policies, scanned, system, prompt, context } = options;
  const hasTexts = system !== undefined || prompt !== undefined || context !== undefined;
  if (policies === undefined || !hasTexts) return undefined;
  const input = inputOf(options, '');
  const result = await pipeline.scan(input, { ...signalOf(options), ...(scanned && { scanned }) });
  const decision = evaluatePolicies(policies, result, input);
  if (decision.verdict !== 'blocked') return undefined;
  state.final = true;
  const findings = early.add(result.findings);
  return { releasable: 0, text: '', findings, final: true, decision, result };
}

async function scanNew(parts: StreamParts): Promise<StreamStep> {
  const { pipeline, options, limits, state, early } = parts;
  settleTail(state, limits);
  const due = dueEnd(state.gathered.length, state, limits) - state.tailStart;
  const received = state.tailStart + wholeCharacter(state.tail, due);
  const from = state.tailStart;
  const tail = state.tail.slice(0, received - from);
  const scanned = await pipeline.scan({ response: tail }, signalOf(options));
  state.scannedTo = received;
  state.work += tail.length;
  // What the cut itself makes of the beginning of the slice lies before what is released.
  const placed = scanned.findings
    .map((found) => ({ ...found, start: found.start + from, end: found.end + from }))
    .filter(({ end }) => end > state.released);
  const settled = placed.filter((found) => isSettled(found, received, limits));
  const open = placed.filter((found) => !settled.includes(found));
  const fresh = early.add(settled);
  const before = early.endingAfter(state.released);
  const decision = decide(parts, scanned);
  if (decision?.verdict === 'blocked') {
    state.final = true;
    const step = { releasable: state.released, text: '', findings: fresh, final: true };
    return { ...step, decision, result: early.toResult(scanned) };
  }
  const whole = (range: TextRange) => withNumber(range, tail, from);
  const across = [...before, ...state.marks].map(whole);
  const sentences = sentencesEnd(parts, tail);
  const point = releasePoint(tail, received, open.map(whole), across, limits, sentences);
  const text = release(parts, point, decision);
  state.due = dueLength(state, limits);
  return { releasable: state.released, text, findings: fresh, final: false };
}

/** Where the sentences end that may be passed on at once; 0 where text follows behind. */
function sentencesEnd({ state, limits }: StreamParts, tail: string): number {
  if (!limits.isChat) return 0;
  return state.released + settledSentences(tail.slice(state.released - state.tailStart));
}

/** Adds what has come to the tail, and leaves out what is no longer needed to see what is new in its place. */
function settleTail(state: StreamState, { lead }: StreamLimits): void {
  const cut = wholeCharacter(state.tail, Math.max(0, state.released - lead - state.tailStart));
  state.tail = state.gathered.takeNew(state.tail.slice(cut));
  state.tailStart += cut;
}

/** What the policies say so far; of places that are passed on already nothing more can be said. */
function decide({ options, early }: StreamParts, scanned: ScanResult): PolicyDecision | undefined {
  const { policies } = options;
  if (policies === undefined) return undefined;
  // The text matters only for what it looks like redacted, which is not asked for here.
  const input = { response: '' };
  const decision = evaluatePolicies(policies, early.toBrief(scanned), input);
  if (decision.verdict !== 'blocked') return decision;
  return evaluatePolicies(policies, early.toResult(scanned), input);
}

/** Moves the border to `point`, never back, and gives the text in between. */
function release(parts: StreamParts, point: number, decision: PolicyDecision | undefined): string {
  const { state, redactor } = parts;
  const from = state.released;
  if (point <= from) return '';
  state.released = point;
  const decided = (decision?.findings ?? []).filter(
    ({ action, field }) => action === 'redact' && field === 'response',
  );
  const marks = [...state.marks, ...decided].filter(
    ({ start, end }) => start < point && end > from,
  );
  const { tail, tailStart } = state;
  const text = tail.slice(from - tailStart, point - tailStart);
  const numbers = numbersOf(state.numbers, text, tail.slice(point - tailStart));
  const placed = quoteMarks(text, from, mergeOverlaps(marks), numbers).map((mark) => ({
    ...mark,
    quote: mark.quote ?? '',
    start: Math.max(mark.start, from) - from,
    end: Math.min(mark.end, point) - from,
  }));
  return redactor.redact(text, placed);
}

async function finish(parts: StreamParts): Promise<StreamStep> {
  const { pipeline, options, state, early } = parts;
  state.final = true;
  state.tail = state.gathered.whole();
  state.tailStart = 0;
  const input = inputOf(options, state.tail);
  const { scanned } = options;
  const result = await pipeline.scan(input, { ...signalOf(options), ...(scanned && { scanned }) });
  const findings = early.add(result.findings);
  const decision =
    options.policies === undefined ? undefined : evaluatePolicies(options.policies, result, input);
  const blocked = decision?.verdict === 'blocked';
  const text = blocked ? '' : release(parts, state.gathered.length, decision);
  const step = { releasable: state.released, text, findings, final: true, result };
  return decision === undefined ? step : { ...step, decision };
}

function inputOf({ system, prompt, context }: StreamScannerOptions, response: string): ScanInput {
  const input: { -readonly [Name in keyof ScanInput]: ScanInput[Name] } = { response };
  if (system !== undefined) input.system = system;
  if (prompt !== undefined) input.prompt = prompt;
  if (context !== undefined) input.context = context;
  return input;
}

function signalOf({ signal }: StreamScannerOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Moves a cut off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff && index > 0 ? index - 1 : index;
}

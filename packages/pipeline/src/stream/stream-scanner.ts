import { StreamTooLongError } from '../errors.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Policy, PolicyDecision } from '../policy.ts';
import { evaluatePolicies } from '../policy.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { createRedactor } from '../redaction/redactor.ts';
import type { Finding, ScanInput, ScanResult } from '../types.ts';
import type { EarlyFindings } from './early-findings.ts';
import { createEarlyFindings } from './early-findings.ts';
import type { HoldBack } from './release.ts';
import { isSettled, releasePoint } from './release.ts';

/** How a stream is scanned. Lengths are UTF-16 units. */
export interface StreamScannerOptions {
  /** The operator's and the user's texts and what the model was given, as for `Pipeline.scan`; judged at the end. */
  readonly system?: string | undefined;
  readonly prompt?: string | undefined;
  readonly context?: readonly string[] | undefined;
  /** Decide what is passed on: a block ends the stream, a redaction replaces. Default: none. */
  readonly policies?: readonly Policy[] | undefined;
  /** How much text must follow what is passed on. Default 256. */
  readonly holdBack?: number | undefined;
  /** How much text is held back at most, for findings and encoded runs that go on. Default 4,096. */
  readonly maxHoldBack?: number | undefined;
  /** The longest response that is taken, and so what a stream keeps in memory. Default 1,048,576. */
  readonly maxLength?: number | undefined;
  /**
   * How many times the length of the response is scanned in all at most, from 1. At 2 each part is scanned about once
   * while it comes in and once at the end. The less, the later text is passed on, whatever
   * `maxHoldBack`. Default: no bound; about 12 times.
   */
  readonly maxWork?: number | undefined;
  /** Replaces what a policy redacts. Default: numbered placeholders. */
  readonly redactor?: Redactor | undefined;
  readonly signal?: AbortSignal | undefined;
}

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
  /** At the end: what `Pipeline.scan` gives for the whole response. */
  readonly result?: ScanResult;
}

/** Scans a response while it comes in. Calls may overlap; they are worked off in order. */
export interface StreamScanner {
  /**
   * Takes the next part of the response, cut anywhere.
   *
   * @throws StreamTooLongError when the response gets too long; nothing more is passed on
   * @throws ScanCanceledError when the signal aborts
   */
  feed(increment: string): Promise<StreamStep>;
  /**
   * Scans the whole response and returns what is left.
   *
   * @param increment the last part, if it has not been fed
   * @throws StreamTooLongError, ScanCanceledError as `feed` does
   */
  end(increment?: string): Promise<StreamStep>;
}

const DEFAULTS = { holdBack: 256, maxHoldBack: 4_096, maxLength: 2 ** 20 };
/** What comes before the text that is scanned anew, so that its beginning is seen in its place. */
const LEAD = 1_024;
/** The same where work is bounded: what a block of a long text has before it in a scan of the whole. */
const SHORT_LEAD = 256;

interface StreamState {
  /** Everything that came, as it came. */
  readonly parts: string[];
  length: number;
  /**
   * What is not passed on yet and what comes before it, from `tailStart` on. To add to the whole text and
   * cut from it would copy the whole each time.
   */
  tail: string;
  tailStart: number;
  released: number;
  scannedTo: number;
  /** Units that were scanned, those that were scanned twice counted twice. */
  work: number;
  final: boolean;
}

/**
 * Makes a scanner for one response that comes in parts.
 *
 * At the end it gives exactly what a scan of the whole response gives, wherever it was cut. Before,
 * it scans what is new together with the 1,024 units before it, each time that half of `holdBack` has
 * come, and passes on what has `holdBack` units behind it. So a finding is known before any of it is
 * passed on, as long as the finding and what makes it one lie within `holdBack` units (every finding of
 * personal data does) or it is an encoded run of up to `maxHoldBack`. A longer attack, and what only
 * shows in comparison with prompt and context, may be found after its beginning has been passed on.
 *
 * @throws RangeError when a length is no whole number or `holdBack` is larger than `maxHoldBack`
 */
export function createStreamScanner(
  pipeline: Pipeline,
  options: StreamScannerOptions = {},
): StreamScanner {
  const limits = resolveLimits(options);
  const state: StreamState = {
    parts: [],
    length: 0,
    tail: '',
    tailStart: 0,
    released: 0,
    scannedTo: 0,
    work: 0,
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
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<StreamStep>): Promise<StreamStep> => {
    const next = last.then(() => {
      if (state.final) throw new Error('the stream has ended');
      return work();
    });
    last = next.catch(() => {});
    return next;
  };
  return {
    feed: (increment) => inTurn(() => takeIncrement(parts, increment)),
    end: (increment = '') => inTurn(() => finish(parts, increment)),
  };
}

interface StreamLimits extends HoldBack {
  readonly maxLength: number;
  readonly maxWork: number;
  readonly lead: number;
}

interface StreamParts {
  readonly pipeline: Pipeline;
  readonly options: StreamScannerOptions;
  readonly limits: StreamLimits;
  readonly state: StreamState;
  readonly early: EarlyFindings;
  readonly redactor: Redactor;
}

function resolveLimits(options: StreamScannerOptions): StreamLimits {
  const limits = {
    holdBack: options.holdBack ?? DEFAULTS.holdBack,
    maxHoldBack: options.maxHoldBack ?? DEFAULTS.maxHoldBack,
    maxLength: options.maxLength ?? DEFAULTS.maxLength,
  };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`${name}: expected a whole number from 1`);
    }
  }
  if (limits.holdBack > limits.maxHoldBack) {
    throw new RangeError('holdBack: must not be larger than maxHoldBack');
  }
  const { maxWork = Number.POSITIVE_INFINITY } = options;
  if (typeof maxWork !== 'number' || !(maxWork >= 1)) {
    throw new RangeError('maxWork: expected a number from 1');
  }
  return { ...limits, maxWork, lead: Number.isFinite(maxWork) ? SHORT_LEAD : LEAD };
}

async function takeIncrement(parts: StreamParts, increment: string): Promise<StreamStep> {
  const { state, limits } = parts;
  append(parts, increment);
  const end = dueEnd(state, limits);
  return end === undefined ? { ...nothingNew(state), findings: [] } : scanNew(parts, end);
}

function append({ state, limits }: StreamParts, increment: string): void {
  if (state.length + increment.length > limits.maxLength) {
    state.final = true;
    throw new StreamTooLongError(limits.maxLength);
  }
  state.parts.push(increment);
  state.tail += increment;
  state.length += increment.length;
}

/**
 * Up to where the response is to be scanned now; undefined to wait for more. What a scan sees again
 * (the lead and what was held back) is saved up for by leaving as much at the end unscanned, so that
 * the scan at the end is always paid for.
 */
function dueEnd(state: StreamState, limits: StreamLimits): number | undefined {
  const { length, released, scannedTo, work, tail, tailStart } = state;
  const { holdBack, maxWork, lead } = limits;
  const step = Math.ceil(holdBack / 2);
  if (!Number.isFinite(maxWork)) return length - scannedTo >= step ? length : undefined;
  const left = Math.floor((maxWork - 1) * length) - work;
  const end = Math.min(length, Math.max(0, released - lead) + left);
  // Steps that grow with the text see fewer parts of it again; more often than this gains nothing.
  const steady = maxWork > 2 ? (lead + holdBack) / (maxWork - 2) : Number.POSITIVE_INFINITY;
  const least = scannedTo === 0 ? 2 * holdBack : Math.max(step, Math.min(scannedTo / 2, steady));
  if (end - scannedTo < least) return undefined;
  return tailStart + wholeCharacter(tail, end - tailStart);
}

function nothingNew({ released }: StreamState) {
  return { releasable: released, text: '', final: false };
}

async function scanNew(parts: StreamParts, received: number): Promise<StreamStep> {
  const { pipeline, options, limits, state, early } = parts;
  cutTail(state, limits);
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
    return { releasable: state.released, text: '', findings: fresh, final: true, decision };
  }
  const point = releasePoint(tail, received, open, before, limits);
  const text = release(parts, point, decision);
  return { releasable: state.released, text, findings: fresh, final: false };
}

/** Leaves out what is no longer needed to see what is new in its place. */
function cutTail(state: StreamState, { lead }: StreamLimits): void {
  const cut = wholeCharacter(state.tail, Math.max(0, state.released - lead - state.tailStart));
  state.tail = state.tail.slice(cut);
  state.tailStart += cut;
}

/** What the policies say so far; of places that are passed on already nothing more can be said. */
function decide({ options, early }: StreamParts, scanned: ScanResult): PolicyDecision | undefined {
  const { policies } = options;
  if (policies === undefined) return undefined;
  // The text matters only for what it looks like redacted, which is not needed here.
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
  const marks = (decision?.findings ?? []).filter(
    ({ action, field, start, end }) =>
      action === 'redact' && field === 'response' && start < point && end > from,
  );
  const placed = marks.map((mark) => ({
    ...mark,
    start: Math.max(mark.start, from) - from,
    end: Math.min(mark.end, point) - from,
  }));
  const { tail, tailStart } = state;
  return redactor.redact(tail.slice(from - tailStart, point - tailStart), placed);
}

async function finish(parts: StreamParts, increment: string): Promise<StreamStep> {
  append(parts, increment);
  const { pipeline, options, state, early } = parts;
  state.final = true;
  const input: ScanInput = {
    ...(options.system === undefined ? {} : { system: options.system }),
    ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
    ...(options.context === undefined ? {} : { context: options.context }),
    response: state.parts.join(''),
  };
  const result = await pipeline.scan(input, signalOf(options));
  const findings = early.add(result.findings);
  const decision =
    options.policies === undefined ? undefined : evaluatePolicies(options.policies, result, input);
  const blocked = decision?.verdict === 'blocked';
  const text = blocked ? '' : release(parts, state.length, decision);
  const step = { releasable: state.released, text, findings, final: true, result };
  return decision === undefined ? step : { ...step, decision };
}

function signalOf({ signal }: StreamScannerOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Moves a cut off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff && index > 0 ? index - 1 : index;
}

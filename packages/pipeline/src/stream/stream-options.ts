import { show } from '../config.ts';
import type { ScannedFields } from '../kept-fields.ts';
import { requireScannedFields } from '../kept-fields.ts';
import { requireContext, requireSignal, typeOf } from '../known-members.ts';
import type { Policy } from '../policy-types.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { requireRedactor } from '../redaction/redactor.ts';
import type { HoldBack } from './release.ts';

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
  /**
   * `chat`: passes text on by the sentence, as soon as nothing in it can still become a finding of personal data or a secret;
   * other text as without it. Scans each sentence, so that `maxWork` must not be given with it. An attack over several
   * sentences may be found after its first ones have been passed on. Default: text follows `holdBack` units behind.
   */
  readonly latency?: 'chat' | undefined;
  /** Replaces what a policy redacts. Default: numbered placeholders. */
  readonly redactor?: Redactor | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What scans of the prompt and the texts beside it have found; see `keepScannedFields`. */
  readonly scanned?: ScannedFields | undefined;
}

/** The lengths that a stream is scanned by, and how often. */
export interface StreamLimits extends HoldBack {
  readonly maxLength: number;
  /** Infinity where it is not bounded. */
  readonly maxWork: number;
  /** Whether sentences are passed on before `holdBack` units follow them. */
  readonly isChat: boolean;
  /** UTF-16 units before the new text that are scanned with it. */
  readonly lead: number;
}

/**
 * What a guard allows. Beside what is scanned, each scan and each part has a cost of its own: with parts from four
 * characters this takes less than twice the time of one scan, also where a single stage is all there is to do.
 */
const DEFAULT_MAX_WORK = 1.5;

/** The pace of a guarded stream: `latency` where it is given, else `maxWork` or its default. */
export function paceOf({
  latency,
  maxWork = DEFAULT_MAX_WORK,
}: StreamScannerOptions): Pick<StreamScannerOptions, 'latency' | 'maxWork'> {
  return latency === undefined ? { maxWork } : { latency };
}

const DEFAULTS = { holdBack: 256, maxHoldBack: 4_096, maxLength: 2 ** 20 };
/** What comes before the text that is scanned anew, so that its beginning is seen in its place. */
const LEAD = 1_024;
/** The same where work is bounded: what a block of a long text has before it in a scan of the whole. */
const SHORT_LEAD = 256;

/**
 * Checks what a stream is given beside lengths and policies. The scan at its end would refuse it as well, but by then
 * text has been passed on.
 *
 * @throws TypeError that names the option
 */
export function requireStreamOptions(owner: string, options: StreamScannerOptions): void {
  requireSignal(owner, options.signal);
  requireRedactor(owner, options.redactor);
  requireScannedFields(owner, options.scanned);
  const { system, prompt, context = [], latency, maxWork } = options;
  if (latency !== undefined && latency !== 'chat') {
    throw new TypeError(`${owner}: latency must be 'chat' or absent; got ${show(latency)}.`);
  }
  if (latency !== undefined && maxWork !== undefined) {
    throw new TypeError(`${owner}: give latency or maxWork, not both.`);
  }
  requireContext(`${owner}: context`, context);
  if (system !== undefined) requireText(owner, 'system', system);
  if (prompt !== undefined) requireText(owner, 'prompt', prompt);
  for (const [index, text] of context.entries()) requireText(owner, `context.${index}`, text);
}

function requireText(owner: string, name: string, text: unknown): void {
  if (typeof text === 'string') return;
  throw new TypeError(`${owner}: ${name} must be a string; got ${typeOf(text)}.`);
}

/** @throws RangeError when a length is no whole number or `holdBack` is larger than `maxHoldBack` */
export function resolveLimits(options: StreamScannerOptions): StreamLimits {
  const { maxWork = Number.POSITIVE_INFINITY, latency } = options;
  const limits: StreamLimits = {
    holdBack: lengthOf(options, 'holdBack'),
    maxHoldBack: lengthOf(options, 'maxHoldBack'),
    maxLength: lengthOf(options, 'maxLength'),
    maxWork,
    isChat: latency === 'chat',
    lead: Number.isFinite(maxWork) ? SHORT_LEAD : LEAD,
  };
  if (limits.holdBack > limits.maxHoldBack) {
    throw new RangeError('holdBack: must not be larger than maxHoldBack');
  }
  if (typeof maxWork !== 'number' || !(maxWork >= 1)) {
    throw new RangeError('maxWork: expected a number from 1');
  }
  return limits;
}

function lengthOf(options: StreamScannerOptions, name: keyof typeof DEFAULTS): number {
  const value = options[name] ?? DEFAULTS[name];
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`${name}: expected a whole number from 1`);
}

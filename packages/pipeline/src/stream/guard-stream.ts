import { BlockedError, ScanCanceledError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import { createGuard, requireGuard } from '../guard.ts';
import type { GuardSession, StoringGuard } from '../guard-session.ts';
import { beginSession } from '../guard-session.ts';
import { keepScannedFields } from '../kept-fields.ts';
import { requireKnownMembers, typeOf } from '../known-members.ts';
import { lazily } from '../lazy.ts';
import type { PolicyDecision } from '../policy.ts';
import { explainPolicies } from '../policy.ts';
import type { DecidedFinding, Policy, Violation } from '../policy-types.ts';
import type { ScanResult, StageReport } from '../types.ts';
import { unfinishedStages } from '../unfinished.ts';
import type { StreamSource } from './source.ts';
import type { StreamLimits, StreamScannerOptions } from './stream-options.ts';
import { paceOf, requireStreamOptions, resolveLimits } from './stream-options.ts';
import type { StreamStep, StreamSteps } from './stream-steps.ts';

/** How a stream is guarded. Lengths are UTF-16 units. */
export interface GuardStreamOptions extends Omit<StreamScannerOptions, 'policies'> {
  /** Whose pipeline and policies decide, and what stores the stream. Default: `createGuard()`. */
  readonly guard?: Guard | StoringGuard | undefined;
  /**
   * How many times the length of the text is scanned in all at most. Default 1.5: half of it on the
   * way, and all of it at the end. With more, text is passed on sooner.
   */
  readonly maxWork?: number | undefined;
  /**
   * What comes instead of the rest where a policy blocks; the stream then ends as if it were whole.
   * Default: it ends with a {@link BlockedError}.
   */
  readonly replacement?: string | ((violation: Violation) => string) | undefined;
}

/** What became of a guarded stream. */
export interface GuardStreamResult {
  readonly verdict: PolicyDecision['verdict'];
  /**
   * Why it is blocked, `pii_scanner found ssn`, or flagged: `pii_scanner flagged email; injection_scanner did
   * not finish: timeout`. Null where it is allowed.
   */
  readonly reason: string | null;
  readonly violation: Violation | null;
  /** Offsets are those of the text as it came. Of a blocked stream, what was found until then. */
  readonly findings: readonly DecidedFinding[];
  /** The stages that did not come to their end, with status and error; at the end of the stream. */
  readonly failedStages: readonly StageReport[];
}

/** The texts of a stream that may be passed on. It can be read once. */
export interface GuardedStream extends AsyncIterable<string> {
  /**
   * Resolves when the stream is over, also where it is blocked. Rejects with what the source failed
   * with, or with a ScanCanceledError where the signal aborts or the reader stops. It stays pending
   * until the stream is read.
   */
  readonly result: Promise<GuardStreamResult>;
}

/** A transform that passes on what may be passed on. */
export interface GuardTransform {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<string>;
  /** As that of a {@link GuardedStream}. */
  readonly result: Promise<GuardStreamResult>;
}

const OPTIONS = [
  ...['guard', 'system', 'prompt', 'context', 'holdBack', 'maxHoldBack', 'maxLength', 'maxWork'],
  ...['redactor', 'replacement', 'signal', 'scanned', 'latency'],
];

/** What runs a stream, loaded by the first one. */
const withParts = lazily(async () => {
  // One after the other: Jest's loader fails at imports at once of modules that share others.
  const { createStreamSteps } = await import('./stream-steps.ts');
  const { openSource } = await import('./source.ts');
  return { createStreamSteps, openSource };
});

/**
 * Guards a stream of text, such as a model's answer: passes on what is settled, with placeholders where a
 * policy redacts, and ends where a policy blocks, with nothing of the finding passed on (see
 * {@link createStreamScanner} for what that covers). The prompt and the texts with it are decided on
 * before the source is read: a lazy source does not start the model for a blocked prompt. The source is
 * read no faster than the result is, and closed when the reader stops.
 *
 * @throws TypeError, RangeError for options that do not exist or have a wrong value
 * @example
 * for await (const text of guardStream(answer)) process.stdout.write(text);
 */
export function guardStream(
  source: AsyncIterable<string> | ReadableStream<string>,
  options: GuardStreamOptions = {},
): GuardedStream {
  const { iterate, isStarted } = requireSource(source);
  const scan = checkScan(options);
  const outcome = createOutcome(options);
  const reading: Reading = { isStopped: false };
  const texts = readGuarded({ iterate, isStarted }, scan, outcome, reading);
  let isRead = false;
  const iterator: AsyncIterator<string, undefined> & AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => iterator,
    next() {
      isRead = true;
      return texts.next();
    },
    async return() {
      // A generator that was never read ends without its cleaning up.
      if (!isRead) {
        isRead = true;
        outcome.fail(new ScanCanceledError([]));
        await withParts(({ openSource }) => openSource(iterate(), undefined).close());
      }
      // A generator ends where it gives a text: not while its source is silent.
      reading.isStopped = true;
      reading.source?.stop();
      return texts.return(undefined);
    },
  };
  return { result: outcome.result, [Symbol.asyncIterator]: () => iterator };
}

/**
 * The same as a pair of streams, for `pipeThrough`.
 *
 * @throws TypeError, RangeError for options that do not exist or have a wrong value
 */
export function createGuardTransform(options: GuardStreamOptions = {}): GuardTransform {
  const scan = checkScan(options);
  const outcome = createOutcome(options);
  const { signal } = options;
  let opened: OpenedSteps | undefined;
  let steps: StreamSteps;
  let abort = () => {};
  const pass = async (step: StreamStep, controller: TransformStreamDefaultController<string>) => {
    if (step.text !== '') controller.enqueue(step.text);
    if (!step.final) return;
    if (!opened) return;
    await opened.store(step);
    const ending = outcome.end(step, opened.policies);
    if (ending !== '') controller.enqueue(ending);
    controller.terminate();
  };
  const { readable, writable } = new TransformStream<string, string>({
    // What is written waits for it.
    start: async (controller) => {
      abort = () => controller.error(new ScanCanceledError([], signal?.reason));
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
      opened = await openSteps(scan);
      steps = opened.steps;
      const refused = await steps.begin();
      if (refused) await pass(refused, controller);
    },
    // Not async: most texts take no scan, and then no promise either.
    transform: (text, controller) => {
      opened?.receive(requireText(text));
      return steps.take(text)?.then((step) => pass(step, controller));
    },
    flush: (controller) => steps.end('').then((step) => pass(step, controller)),
  });
  const over = () => {
    signal?.removeEventListener('abort', abort);
    return opened?.store();
  };
  return { readable: watched(readable, outcome, over), writable, result: outcome.result };
}

/** The same stream, whose errors and cancellation reach the outcome: Node 20 does not tell a transformer of them. */
function watched(
  texts: ReadableStream<string>,
  outcome: Outcome,
  over: () => Promise<void> | undefined,
): ReadableStream<string> {
  const reader = texts.getReader();
  reader.closed.catch(outcome.fail).finally(over).catch(outcome.fail);
  return new ReadableStream<string>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        outcome.fail(new ScanCanceledError([], reason));
        return reader.cancel(reason);
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

/** A stream's pipeline and options, checked. */
interface GuardedScan {
  readonly guard: Guard | StoringGuard;
  readonly options: StreamScannerOptions;
  readonly limits: StreamLimits;
}

function checkScan(given: GuardStreamOptions): GuardedScan {
  requireKnownMembers('guardStream', given, OPTIONS);
  requireGuard('guardStream', given.guard);
  requireStreamOptions('guardStream', given);
  // The prompt is scanned before the first text, and decided on again with the last.
  const { guard = createGuard(), scanned = keepScannedFields() } = given;
  const options = { ...given, ...paceOf(given), scanned };
  return { guard, options, limits: resolveLimits(options) };
}

/** The steps of a stream and the storage of its texts. */
interface OpenedSteps {
  readonly steps: StreamSteps;
  readonly policies: readonly Policy[];
  /** Keeps a part of the text as it came, where the stream is stored. */
  receive(text: string): void;
  /** Stores the stream once, where its guard stores; without its last step it broke off. */
  store(last?: StreamStep): Promise<void>;
}

async function openSteps({ guard, options, limits }: GuardedScan): Promise<OpenedSteps> {
  const session = await beginSession(guard);
  const { pipeline, policies } = session.guard;
  const steps = await withParts(({ createStreamSteps }) =>
    createStreamSteps(pipeline, { ...options, policies }, limits),
  );
  return { steps, policies, ...keepStream(session, options, 'begin' in guard) };
}

function keepStream(
  session: GuardSession,
  { system, prompt, context }: StreamScannerOptions,
  isStored: boolean,
): Omit<OpenedSteps, 'steps' | 'policies'> {
  const received: string[] = [];
  let stored: Promise<void> | undefined;
  return {
    receive(text) {
      if (isStored) received.push(text);
    },
    store(last) {
      const content = { system, prompt, context, response: received.join('') };
      stored ??= session.store({ content, violation: last?.decision?.violation ?? null });
      return stored;
    },
  };
}

/** A source that is not opened yet. */
interface GivenSource {
  readonly iterate: () => AsyncIterator<string>;
  /** Whether it holds something before it is read, so that it must be closed unread. */
  readonly isStarted: boolean;
}

/** @throws TypeError for a source of another type, at once; it is not opened before it is read */
function requireSource(source: unknown): GivenSource {
  const given = source as Partial<AsyncIterable<string> & AsyncIterator<string>> | null | undefined;
  const iterate = typeof given === 'object' ? given?.[Symbol.asyncIterator] : undefined;
  if (typeof iterate === 'function') {
    const isStarted = given instanceof ReadableStream || typeof given?.return === 'function';
    return { iterate: () => iterate.call(given), isStarted };
  }
  throw new TypeError('guardStream: the source must be an AsyncIterable or a ReadableStream.');
}

/** What the reader of a stream stops it by. */
interface Reading {
  isStopped: boolean;
  source?: StreamSource | undefined;
}

async function* readGuarded(
  { iterate, isStarted }: GivenSource,
  scan: GuardedScan,
  outcome: Outcome,
  reading: Reading,
): AsyncGenerator<string, undefined> {
  let source: StreamSource | undefined;
  let opened: OpenedSteps | undefined;
  try {
    opened = await openSteps(scan);
    const { steps, receive } = opened;
    const take = (given: unknown) => {
      const text = requireText(given);
      receive(text);
      return steps.take(text);
    };
    const open = () => withParts(({ openSource }) => openSource(iterate(), scan.options.signal));
    // Nothing is asked of the model before its prompt is allowed.
    const refused = await steps.begin();
    if (!refused || isStarted) source = await open();
    reading.source = source;
    if (reading.isStopped) source?.stop();
    for (;;) {
      const step = refused ?? (await ((await source?.readUntil(take)) ?? steps.end('')));
      if (step.text !== '') yield step.text;
      if (!step.final) continue;
      await opened.store(step);
      const ending = outcome.end(step, opened.policies);
      if (ending !== '') yield ending;
      return;
    }
  } catch (error) {
    outcome.fail(error);
    // Nobody is left to be told.
    if (!reading.isStopped) throw error;
  } finally {
    outcome.stop();
    await source?.close();
    await opened?.store();
  }
}

function requireText(text: unknown): string {
  if (typeof text === 'string') return text;
  const hint = text instanceof Uint8Array ? ' (use a TextDecoderStream)' : '';
  throw new TypeError(`guardStream: the source must give texts; got ${typeOf(text)}${hint}.`);
}

/** Settles the result of a stream, once. */
interface Outcome {
  readonly result: Promise<GuardStreamResult>;
  /**
   * Takes the last step.
   *
   * @returns what is to be passed on instead of the rest; empty where nothing is missing
   * @throws BlockedError where a policy blocks and nothing is to come instead
   */
  end(step: StreamStep, policies: readonly Policy[]): string;
  fail(error: unknown): void;
  /** Fails where nothing has settled it: the reader stops before the end. */
  stop(): void;
}

/** Why a stream is flagged; null where it is allowed. */
function reasonOf(policies: readonly Policy[], result: ScanResult | undefined): string | null {
  return result ? explainPolicies(policies, result, { response: '' }).reason : null;
}

function createOutcome({ replacement }: GuardStreamOptions): Outcome {
  if (!['undefined', 'string', 'function'].includes(typeof replacement)) {
    throw new TypeError('guardStream: replacement must be a text or a function.');
  }
  let resolve: (result: GuardStreamResult) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  let isSettled = false;
  const fail = (error: unknown): void => {
    isSettled = true;
    reject(error);
  };
  const result = new Promise<GuardStreamResult>((settle, refuse) => {
    resolve = settle;
    reject = refuse;
  });
  // The error reaches the reader of the texts.
  result.catch(() => {});
  return {
    result,
    fail,
    stop() {
      // To make an error costs more than to scan a short text.
      if (!isSettled) fail(new ScanCanceledError([]));
    },
    end({ decision, result: scanned }, policies) {
      isSettled = true;
      const { verdict, violation = null, findings } = decision as PolicyDecision;
      const failedStages = unfinishedStages(scanned?.stages ?? []);
      const reason = violation?.reason ?? reasonOf(policies, scanned);
      resolve({ verdict, reason, violation, findings, failedStages });
      if (violation === null) return '';
      if (replacement === undefined) throw new BlockedError(violation);
      const text = typeof replacement === 'string' ? replacement : replacement(violation);
      if (typeof text === 'string') return text;
      throw new TypeError(`guardStream: replacement must give a text; got ${typeof text}.`);
    },
  };
}

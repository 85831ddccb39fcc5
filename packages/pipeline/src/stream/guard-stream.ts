import type { Transformer } from 'node:stream/web';
import { BlockedError, ScanCanceledError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import { createGuard } from '../guard.ts';
import { requireKnownMembers } from '../known-members.ts';
import type { DecidedFinding, PolicyDecision, Violation } from '../policy.ts';
import type { StreamScanner, StreamScannerOptions, StreamStep } from './stream-scanner.ts';
import { createStreamScanner } from './stream-scanner.ts';

/** How a stream is guarded. Lengths are UTF-16 units. */
export interface GuardStreamOptions extends Omit<StreamScannerOptions, 'policies'> {
  /** Whose pipeline and policies decide. Default: `createGuard()`. */
  readonly guard?: Guard | undefined;
  /**
   * How many times the length of the text is scanned in all at most. Default 1.8: most of it once on the
   * way, and all of it once at the end. With more, text is passed on sooner.
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
  /** Why it is blocked: `pii_scanner found ssn`; null unless it is. */
  readonly reason: string | null;
  readonly violation: Violation | null;
  /** Offsets are those of the text as it came. Of a blocked stream, what was found until then. */
  readonly findings: readonly DecidedFinding[];
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
  ...['redactor', 'replacement', 'signal'],
];

/**
 * Guards a stream of text, such as a model's answer: passes on what is settled, with placeholders where a
 * policy redacts, and ends where a policy blocks, with nothing of the finding passed on (see
 * {@link createStreamScanner} for what that covers). The source is read no faster than the result is,
 * and closed when the reader stops.
 *
 * @throws TypeError, RangeError for options that do not exist or have a wrong value
 * @example
 * for await (const text of guardStream(answer)) process.stdout.write(text);
 */
export function guardStream(
  source: AsyncIterable<string> | ReadableStream<string>,
  options: GuardStreamOptions = {},
): GuardedStream {
  const iterate = iteratorOf(source);
  const outcome = createOutcome(options);
  const scanner = scannerOf(options);
  const texts = readGuarded(iterate, scanner, outcome, options.signal);
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
        await close(iterate());
      }
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
  const outcome = createOutcome(options);
  const scanner = scannerOf(options);
  const pass = (step: StreamStep, controller: TransformStreamDefaultController<string>) => {
    if (step.text !== '') controller.enqueue(step.text);
    if (!step.final) return;
    const ending = outcome.end(step);
    if (ending !== '') controller.enqueue(ending);
    controller.terminate();
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      outcome.fail(error);
      throw error;
    }
  };
  // Node calls `cancel` from 21.5 on; its types do not have it.
  const transformer: Transformer<string, string> & { cancel(reason: unknown): void } = {
    transform: (text, controller) =>
      guarded(async () => pass(await scanner.feed(requireText(text)), controller)),
    flush: (controller) => guarded(async () => pass(await scanner.end(), controller)),
    cancel: (reason) => outcome.fail(new ScanCanceledError([], reason)),
  };
  const { readable, writable } = new TransformStream(transformer);
  return { readable, writable, result: outcome.result };
}

/** Beside what is scanned, each scan has a cost of its own: this takes up to twice the time of one scan. */
const DEFAULT_MAX_WORK = 1.8;

function scannerOf(options: GuardStreamOptions): StreamScanner {
  requireKnownMembers('guardStream', options, OPTIONS);
  const { guard = createGuard(), replacement: _, maxWork = DEFAULT_MAX_WORK, ...rest } = options;
  const { pipeline, policies } = guard;
  return createStreamScanner(pipeline, { ...rest, maxWork, policies });
}

/** Tokens of a few letters are gathered: to feed each would cost more than to scan them. */
const FEED_FROM = 64;

async function* readGuarded(
  iterate: () => AsyncIterator<string>,
  scanner: StreamScanner,
  outcome: Outcome,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, undefined> {
  const iterator = iterate();
  let isOpen = true;
  let gathered = '';
  try {
    for (;;) {
      const next = await nextOf(iterator, signal).catch((error: unknown) => {
        // A source that failed is closed; one that was not waited for closes when it gets there.
        if (error instanceof ScanCanceledError) void close(iterator);
        isOpen = false;
        throw error;
      });
      isOpen = next.done !== true;
      gathered += next.done ? '' : requireText(next.value);
      if (!next.done && gathered.length < FEED_FROM) continue;
      const step = await (next.done ? scanner.end(gathered) : scanner.feed(gathered));
      gathered = '';
      if (step.text !== '') yield step.text;
      if (!step.final) continue;
      const ending = outcome.end(step);
      if (ending !== '') yield ending;
      return;
    }
  } catch (error) {
    outcome.fail(error);
    throw error;
  } finally {
    // Where the reader stops, nothing else settles the result.
    outcome.fail(new ScanCanceledError([]));
    if (isOpen) await close(iterator);
  }
}

/** The next text, or the end of waiting for it. */
async function nextOf(
  iterator: AsyncIterator<string>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<string>> {
  if (signal === undefined) return iterator.next();
  if (signal.aborted) throw new ScanCanceledError([], signal.reason);
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new ScanCanceledError([], signal.reason));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([iterator.next(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Its errors come too late to matter. */
async function close(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}

function requireText(text: unknown): string {
  if (typeof text === 'string') return text;
  const hint = text instanceof Uint8Array ? ' (use a TextDecoderStream)' : '';
  throw new TypeError(`guardStream: the source must give texts; got ${typeof text}${hint}.`);
}

function iteratorOf(source: unknown): () => AsyncIterator<string> {
  const given = source as Partial<AsyncIterable<string>> | null | undefined;
  const iterate = typeof given === 'object' ? given?.[Symbol.asyncIterator] : undefined;
  if (typeof iterate === 'function') return () => iterate.call(given);
  throw new TypeError('guardStream: the source must be an AsyncIterable or a ReadableStream.');
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
  end(step: StreamStep): string;
  fail(error: unknown): void;
}

function createOutcome({ replacement }: GuardStreamOptions): Outcome {
  if (!['undefined', 'string', 'function'].includes(typeof replacement)) {
    throw new TypeError('guardStream: replacement must be a text or a function.');
  }
  let resolve: (result: GuardStreamResult) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const result = new Promise<GuardStreamResult>((settle, reject) => {
    resolve = settle;
    fail = reject;
  });
  // The error reaches the reader of the texts.
  result.catch(() => {});
  return {
    result,
    fail,
    end({ decision }) {
      const { verdict, violation = null, findings } = decision as PolicyDecision;
      resolve({ verdict, reason: violation?.reason ?? null, violation, findings });
      if (violation === null) return '';
      if (replacement === undefined) throw new BlockedError(violation);
      const text = typeof replacement === 'string' ? replacement : replacement(violation);
      if (typeof text === 'string') return text;
      throw new TypeError(`guardStream: replacement must give a text; got ${typeof text}.`);
    },
  };
}

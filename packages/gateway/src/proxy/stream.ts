import type { Clock } from '@probity/core';
import { toProbityError } from '@probity/core';
import { BlockedError, StreamTooLongError } from '@probity/pipeline';
import type { Members, ServerSentEvent } from '@probity/pipeline/protocols';
import { createEventReader, writeEvent } from '@probity/pipeline/protocols';
import type { ProxyCall } from './guarded-call.ts';
import { hasComment, KEEP_ALIVE, KEEP_ALIVE_MS, within } from './keep-alive.ts';
import type { ProxyProtocol } from './protocols.ts';
import type { ProxyFault } from './proxy-error.ts';
import { blockedFault } from './proxy-error.ts';
import type { TokenUsage } from './usage.ts';
import { mergeUsage, textBytesOf, usageOf } from './usage.ts';

/** A streamed answer that is guarded. */
export interface GuardedStreamOptions {
  readonly protocol: ProxyProtocol;
  readonly call: ProxyCall;
  readonly source: AsyncIterable<Uint8Array> & { destroy(): unknown };
  readonly clock: Clock;
  readonly requestId: string;
  /** Whether the event that names the tokens alone is left out, since the client has not asked for it. */
  readonly hidesUsage: boolean;
  /** Takes out of the events what no client may get. */
  clean(text: string): string;
  /** Is told of each event of the source; absent where nobody wants to know. */
  readonly observe?: ((data: string) => void) | undefined;
  /** Called once. */
  onEnd(ended: EndedStream): void;
}

/** How a stream ended. */
interface EndedStream {
  /** As the provider counts; null where the answer did not say. */
  readonly usage: TokenUsage | null;
  /** Bytes of text that the provider has sent, about. */
  readonly textBytes: number;
  /** Where the stream did not end by itself. */
  readonly error?: unknown;
}

/**
 * Passes on the events of an answer as far as they are settled. A block, and a broken answer, end the stream with an
 * event that says so. Ended by its reader it ends the answer as well.
 */
export async function* guardStream(options: GuardedStreamOptions): AsyncGenerator<string> {
  const { source, protocol, requestId } = options;
  const seen: Seen = { usage: null, textBytes: 0 };
  let error: unknown = new ReaderLeft();
  let passed = '';
  try {
    for await (const text of guardedEvents(options, seen)) {
      if (text !== KEEP_ALIVE) passed = text;
      yield text;
    }
    error = undefined;
  } catch (thrown) {
    error = thrown;
    yield writeEvent(protocol.errorEvent(faultOfStream(thrown), requestId, passed));
  } finally {
    source.destroy();
    options.onEnd({ ...seen, error });
  }
}

/** What a provider has sent so far. */
type Seen = { -readonly [Name in 'usage' | 'textBytes']: EndedStream[Name] };

const NO_CHOICES = /"choices":\s*\[\s*\]/;

/** The reader of a stream left before its end. */
class ReaderLeft extends Error {
  override readonly name = 'ScanCanceledError';
}

async function* guardedEvents(
  { protocol, call, source, clock, hidesUsage, clean, observe }: GuardedStreamOptions,
  seen: Seen,
): AsyncGenerator<string> {
  const events = protocol.endpoint.createEvents(call);
  const reader = createEventReader(call.maxHeld);
  // Invalid bytes become U+FFFD, as in every client; a character may be split over two chunks.
  const decoder = new TextDecoder();
  let isEmpty = true;
  const pass = async (came: readonly ServerSentEvent[]): Promise<string> => {
    let text = '';
    for (const event of came) {
      isEmpty = false;
      observe?.(event.data);
      const named = event.data.includes('"usage"') ? usageIn(event) : null;
      seen.usage = mergeUsage(seen.usage, named);
      seen.textBytes += textBytesOf(event.data);
      if (named !== null && hidesUsage && NO_CHOICES.test(event.data)) continue;
      for (const out of await events.take(event)) text += clean(writeEvent(out));
    }
    return text;
  };
  const chunks = source[Symbol.asyncIterator]();
  let sentAtMs = clock.monotonicMs();
  const silenceMs = () => clock.monotonicMs() - sentAtMs;
  for (;;) {
    const next = chunks.next();
    // The reader may leave while the provider is silent: nobody waits for the next chunk then.
    next.catch(() => undefined);
    let came = await within(clock, next, KEEP_ALIVE_MS - silenceMs());
    while (came === undefined) {
      sentAtMs = clock.monotonicMs();
      yield KEEP_ALIVE;
      came = await within(clock, next, KEEP_ALIVE_MS);
    }
    if (came.done) break;
    const text = decoder.decode(came.value, { stream: true });
    const passed = await pass(reader.feed(text));
    const isQuiet = passed === '' && (hasComment(text) || silenceMs() >= KEEP_ALIVE_MS);
    if (passed === '' && !isQuiet) continue;
    sentAtMs = clock.monotonicMs();
    yield isQuiet ? KEEP_ALIVE : passed;
  }
  const last = await pass([...reader.feed(decoder.decode()), ...reader.end()]);
  // Bytes that are no events, such as those of another encoding.
  if (isEmpty) throw new SyntaxError('the stream has no events');
  const rest = (await events.end()).map((out) => clean(writeEvent(out))).join('');
  if (last + rest !== '') yield last + rest;
}

function usageIn({ data }: ServerSentEvent): TokenUsage | null {
  const event: unknown = JSON.parse(data);
  return typeof event === 'object' && event !== null ? usageOf(event as Members) : null;
}

function faultOfStream(thrown: unknown): ProxyFault {
  if (thrown instanceof BlockedError) return blockedFault(thrown.violation, 'answer');
  const { status } = toProbityError(thrown);
  return {
    status: status >= 500 ? 502 : status,
    message:
      thrown instanceof StreamTooLongError
        ? `The answer of the model is too large: ${thrown.message}.`
        : 'The answer of the model broke off, or cannot be read.',
    type: 'server_error',
    code: 'upstream_broken',
    param: null,
  };
}

import { toProbityError } from '@probity/core';
import { BlockedError, StreamTooLongError } from '@probity/pipeline';
import type { Members, ServerSentEvent } from '@probity/pipeline/protocols';
import { createEventReader, writeEvent } from '@probity/pipeline/protocols';
import type { ProxyCall } from './guarded-call.ts';
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
      passed = text;
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
  { protocol, call, source, hidesUsage, clean, observe }: GuardedStreamOptions,
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
  for await (const chunk of source) {
    const text = await pass(reader.feed(decoder.decode(chunk, { stream: true })));
    if (text !== '') yield text;
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
  if (thrown instanceof BlockedError) return blockedFault(thrown.violation);
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

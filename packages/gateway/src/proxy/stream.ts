import { toProbityError } from '@probity/core';
import { BlockedError } from '@probity/pipeline';
import { createEventReader, writeEvent } from '@probity/pipeline/protocols';
import type { ProxyCall } from './guarded-call.ts';
import type { ProxyProtocol } from './protocols.ts';
import type { ProxyFault } from './proxy-error.ts';
import { blockedFault } from './proxy-error.ts';

/** A streamed answer that is guarded. */
export interface GuardedStreamOptions {
  readonly protocol: ProxyProtocol;
  readonly call: ProxyCall;
  readonly source: AsyncIterable<Uint8Array> & { destroy(): unknown };
  readonly requestId: string;
  /** Called once, with the error where the stream did not end by itself. */
  onEnd(error?: unknown): void;
}

/**
 * Passes on the events of an answer as far as they are settled. A block, and a broken answer, end the stream with an
 * event that says so. Ended by its reader it ends the answer as well.
 */
export async function* guardStream(options: GuardedStreamOptions): AsyncGenerator<string> {
  const { source, onEnd } = options;
  let error: unknown = new ReaderLeft();
  try {
    yield* guardedEvents(options);
    error = undefined;
  } catch (thrown) {
    error = thrown;
    yield writeEvent(options.protocol.errorEvent(faultOfStream(thrown), options.requestId));
  } finally {
    source.destroy();
    onEnd(error);
  }
}

/** The reader of a stream left before its end. */
class ReaderLeft extends Error {
  override readonly name = 'ScanCanceledError';
}

async function* guardedEvents({
  protocol,
  call,
  source,
}: GuardedStreamOptions): AsyncGenerator<string> {
  const events = protocol.endpoint.createEvents(call);
  const reader = createEventReader();
  // Invalid bytes become U+FFFD, as in every client; a character may be split over two chunks.
  const decoder = new TextDecoder();
  for await (const chunk of source) {
    const text = await join(reader.feed(decoder.decode(chunk, { stream: true })), events);
    if (text !== '') yield text;
  }
  const last = await join([...reader.feed(decoder.decode()), ...reader.end()], events);
  const rest = (await events.end()).map(writeEvent).join('');
  if (last + rest !== '') yield last + rest;
}

async function join(
  came: ReturnType<ReturnType<typeof createEventReader>['feed']>,
  events: ReturnType<ProxyProtocol['endpoint']['createEvents']>,
): Promise<string> {
  let text = '';
  for (const event of came) {
    for (const out of await events.take(event)) text += writeEvent(out);
  }
  return text;
}

function faultOfStream(thrown: unknown): ProxyFault {
  if (thrown instanceof BlockedError) return blockedFault(thrown.violation);
  const { status } = toProbityError(thrown);
  return {
    status: status >= 500 ? 502 : status,
    message: 'The answer of the model broke off, or cannot be read.',
    type: 'server_error',
    code: 'upstream_broken',
    param: null,
  };
}

import { StreamTooLongError } from '@probity/pipeline';
import { writeEvent } from '@probity/pipeline/protocols';
import type { AnswerStream } from './answer-streams.ts';
import { createEventStream, createTextStream } from './answer-streams.ts';
import { checkAnswer, unreadable } from './contents.ts';
import type { ExchangeSide, ExchangeState } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { holdBody } from './held-body.ts';
import { bodyReply, duplexReply, headersReply, trailersReply } from './replies.ts';
import type { WireBody, WireHeaders, WireRequest, WireResponse } from './wire.ts';
import { readHeaders } from './wire.ts';

type Kind = 'whole' | 'events' | 'text';

const NOTHING = Buffer.alloc(0);

/** The answer: events and plain text are passed on as far as they are settled, everything else is held until it is whole. */
export function createResponseSide(state: ExchangeState): ExchangeSide {
  let kind: Kind = 'whole';
  let isSuccess = true;
  let waiting: WireResponse[] = [];
  let isOver = false;
  let held: HeldBody | undefined;
  let stream: AnswerStream | undefined;
  let parts = 0;
  let passed = '';
  const isDuplex = () => state.modes.response === 'FULL_DUPLEX_STREAMED';
  const take = () => waiting.splice(0);

  const pass = (text: string, isEnd: boolean): WireResponse => {
    const bytes = Buffer.from(text);
    if (isDuplex()) return duplexReply('response', bytes, isEnd);
    const isOnly = parts === 1 && isEnd;
    const changes = { set: { 'content-length': String(bytes.length) } };
    return bodyReply('response', bytes, isOnly ? changes : undefined);
  };
  const checkHeld = async (isEnd: boolean): Promise<WireResponse[]> => {
    isOver = true;
    const body = held as HeldBody;
    if (body.length === 0) return [...take(), ...body.release(null, isEnd)];
    const protocol = isSuccess ? state.protocol : undefined;
    const changed = await checkAnswer(protocol, state.call, body.bytes()).catch(failBroken);
    state.reportAnswer();
    return [...take(), ...body.release(changed === null ? null : Buffer.from(changed), isEnd)];
  };
  const hold = (part: WireBody): Promise<WireResponse[]> | WireResponse[] => {
    held ??= holdBody('response', state.modes.response);
    if (held.length + part.body.length > state.maxBytes) {
      throw unreadable(502, `is larger than ${state.maxBytes} bytes`);
    }
    if (state.modes.response === 'BUFFERED_PARTIAL' && !part.end_of_stream) {
      throw unreadable(502, 'is larger than the buffer');
    }
    const replies = held.hold(part);
    return part.end_of_stream ? checkHeld(true) : replies;
  };
  const openStream = (): AnswerStream => {
    if (kind === 'text') return createTextStream(state.call);
    if (state.protocol) return createEventStream(state.protocol, state.call);
    throw unreadable(502, 'is a stream of events of an interface that is not known');
  };
  const feed = async (bytes: Buffer, isEnd: boolean): Promise<WireResponse[]> => {
    // What follows a block is taken out of the stream.
    if (isOver) return isDuplex() ? [] : [bodyReply('response', NOTHING)];
    parts += 1;
    try {
      stream ??= openStream();
      const text = await stream.feed(bytes, isEnd);
      if (text !== '') passed = text;
      if (isEnd) finish();
      return isDuplex() && text === '' && !isEnd ? [] : [pass(text, isEnd)];
    } catch (error) {
      isOver = true;
      state.reportAnswer(error);
      const isBegun = !(parts === 1 && isEnd) && kind === 'events';
      if (!isBegun || !state.protocol) throw broken(error);
      // The head of the answer has been passed on: the end is an event that clients read as an error.
      const event = state.protocol.errorEvent(
        state.faultOf(broken(error)),
        state.context.requestId,
        passed,
      );
      return [pass(writeEvent(event), isEnd || isDuplex())];
    }
  };
  const finish = () => {
    isOver = true;
    state.reportAnswer();
  };

  return {
    get held() {
      return held?.length ?? 0;
    },
    async headers({ response_headers }: WireRequest) {
      const { headers: map, end_of_stream: isEnd } = response_headers as WireHeaders;
      const headers = readHeaders(map);
      isSuccess = /^2/.test(headers[':status'] ?? '200');
      kind = kindOf(headers['content-type'] ?? '');
      if (!isEnd && (headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw unreadable(502, 'is compressed');
      }
      isOver = isEnd;
      const { hash } = state.options.snapshot;
      const reply = headersReply(
        'response',
        { set: { 'x-probity-config-hash': hash }, remove: isEnd ? [] : ['content-length'] },
        // Envoy takes it where the filter allows it: events need not wait for the end of the stream.
        kind === 'events' && state.modes.response === 'BUFFERED' ? STREAMED : undefined,
      );
      if (isEnd || !isDuplex() || kind !== 'whole') return [reply];
      waiting = [reply];
      return [];
    },
    async body({ response_body }: WireRequest) {
      const part = response_body as WireBody;
      return kind === 'whole' ? hold(part) : feed(part.body, part.end_of_stream);
    },
    async trailers() {
      const last = trailersReply('response');
      if (kind !== 'whole' && !isOver) {
        if (isDuplex()) {
          const text = (await feed(NOTHING, true)).map(notLast);
          return [...text, last];
        }
        throw unreadable(502, 'has trailers');
      }
      if (isOver || held === undefined) return [...take(), last];
      if (!isDuplex() && state.modes.response !== 'BUFFERED') throw unreadable(502, 'has trailers');
      return [...(await checkHeld(false)), last];
    },
  };
}

const STREAMED = { response_body_mode: 'STREAMED', response_header_mode: 'SEND' };

function kindOf(contentType: string): Kind {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/event-stream') return 'events';
  return type === 'text/plain' ? 'text' : 'whole';
}

/** Trailers follow. */
function notLast(reply: WireResponse): WireResponse {
  const { response } = reply.response_body as { response: { body_mutation: object } };
  const { streamed_response: streamed } = response.body_mutation as { streamed_response: object };
  const body_mutation = { streamed_response: { ...streamed, end_of_stream: false } };
  return { response_body: { response: { body_mutation } } };
}

/** What cannot be read as events is the upstream's fault. */
function broken(thrown: unknown): unknown {
  if (thrown instanceof StreamTooLongError)
    return unreadable(502, `is too large: ${thrown.message}`);
  const isUnread = [SyntaxError, TypeError, RangeError].some((kind) => thrown instanceof kind);
  return isUnread ? unreadable(502, 'cannot be read') : thrown;
}

function failBroken(thrown: unknown): never {
  throw broken(thrown);
}

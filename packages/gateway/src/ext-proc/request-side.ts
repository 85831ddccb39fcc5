import type { BodyEncoding } from '@probity/core/internal';
import { decompress, encodingOf } from '@probity/core/internal';
import { proxyError } from '../proxy/proxy-error.ts';
import { protocolOf, readRequest, unreadable } from './contents.ts';
import type { ExchangeSide, ExchangeState } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { holdBody } from './held-body.ts';
import { headersReply, trailersReply } from './replies.ts';
import type { WireBody, WireHeaders, WireRequest, WireResponse } from './wire.ts';
import { attributeOf, readHeaders } from './wire.ts';

/** The request: held until it is whole, and checked before any of it reaches the upstream. */
export function createRequestSide(state: ExchangeState): ExchangeSide {
  let body: HeldBody | undefined;
  /** Sent with the body where Envoy sends bodies without waiting for it, so that it can still be refused. */
  let waiting: WireResponse[] = [];
  let isOver = false;
  let encoding: BodyEncoding | null = null;
  /** The question is kept for the answer. */
  let held = 0;
  const check = async (isEnd: boolean): Promise<WireResponse[]> => {
    isOver = true;
    const whole = body as HeldBody;
    const bytes = await readBytes(whole);
    const contents = bytes.length === 0 ? undefined : await readRequest(state.protocol, bytes);
    const call = state.open(contents);
    // The upstream gets it uncompressed, as the headers say.
    const read = encoding === null ? null : bytes;
    if (contents === undefined) return [...take(), ...whole.release(read, isEnd)];
    const { messages, settings } = await call.checkWhole();
    const isSame =
      messages.every((message, index) => message === contents.asked[index]) &&
      settings === contents.settings;
    const changed = isSame ? read : Buffer.from(await contents.replaced(messages, settings));
    return [...take(), ...whole.release(changed, isEnd)];
  };
  const readBytes = async (whole: HeldBody): Promise<Buffer> => {
    if (encoding === null || whole.length === 0) return whole.bytes();
    const chunks: Uint8Array[] = [];
    for await (const chunk of decompress(partsOf(whole), encoding, state.maxBytes))
      chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const take = () => waiting.splice(0);
  return {
    get held() {
      return held;
    },
    async headers(message) {
      const { headers: map, end_of_stream: isEnd } = message.request_headers as WireHeaders;
      const headers = readHeaders(map);
      const address = addressOf(attributeOf(message, 'source.address'));
      state.context = state.options.contextOf(headers['x-request-id'], address);
      state.protocol = protocolOf(headers[':path'] ?? '');
      await state.options.limit();
      const known = isEnd ? null : encodingOf(headers['content-encoding']);
      if (known === undefined) {
        throw unreadable(
          415,
          'is compressed in an unknown way; send it with content-encoding: gzip',
        );
      }
      encoding = known;
      // A compressed answer could not be read; the length is that of what is passed on.
      const remove = [
        'accept-encoding',
        ...(isEnd ? [] : ['content-length']),
        ...(encoding === null ? [] : ['content-encoding']),
      ];
      const reply = headersReply('request', { remove });
      isOver = isEnd;
      if (isEnd || state.modes.request !== 'FULL_DUPLEX_STREAMED') return [reply];
      waiting = [reply];
      return [];
    },
    async body({ request_body }: WireRequest) {
      const part = request_body as WireBody;
      body ??= holdBody('request', state.modes.request);
      if (body.length + part.body.length > state.maxBytes) {
        const message = `The request body is larger than ${state.maxBytes} bytes.`;
        throw proxyError({ status: 413, message });
      }
      if (state.modes.request === 'BUFFERED_PARTIAL' && !part.end_of_stream) {
        throw proxyError({ status: 413, message: 'The request body is larger than the buffer.' });
      }
      held += part.body.length;
      const replies = body.hold(part);
      return part.end_of_stream ? check(true) : replies;
    },
    async trailers() {
      if (isOver || body === undefined) return [...take(), trailersReply('request')];
      if (state.modes.request !== 'FULL_DUPLEX_STREAMED') {
        if (state.modes.request !== 'BUFFERED') throw unreadable(415, 'has trailers');
      }
      return [...(await check(false)), trailersReply('request')];
    },
  };
}

async function* partsOf(whole: HeldBody): AsyncGenerator<Uint8Array> {
  yield whole.bytes();
}

/** `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressOf(given: string | undefined): string | null {
  return given?.replace(/:\d+$/, '').replace(/^\[|\]$/g, '') ?? null;
}

import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { inject } from 'light-my-request';
import type { NodeHandler } from '../probity/handlers.ts';
import { rememberFetchRequest } from './fetch-requests.ts';

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Answers a request of the Fetch API by a Node handler. A body that the host has read reaches the
 * handler as one that was read, which is answered with an error that names the cause.
 */
export async function answerFetch(handler: NodeHandler, request: Request): Promise<Response> {
  request.signal.throwIfAborted();
  const url = new URL(request.url);
  const wasRead = request.bodyUsed || request.body?.locked === true;
  const hasBody = request.body !== null;
  const payload =
    request.body && !wasRead
      ? Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>)
      : undefined;
  const dispatch: NodeHandler = (incoming, outgoing) => {
    rememberFetchRequest(incoming, request);
    const abort = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    // Without a listener, an error before the body is read would end the process.
    incoming.on('error', () => undefined);
    request.signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => request.signal.removeEventListener('abort', abort));
    if (wasRead) incoming.once('end', () => handler(incoming, outgoing)).resume();
    else handler(incoming, outgoing);
  };
  const answer = await inject((incoming, outgoing) => dispatch(incoming, outgoing), {
    method: request.method as 'GET',
    url: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      ...Object.fromEntries(request.headers),
      // Next.js drops Content-Encoding; hosts of the Fetch API compress by themselves.
      'accept-encoding': 'identity',
      ...(hasBody && !request.headers.has('content-length') && { 'transfer-encoding': 'chunked' }),
    },
    payloadAsStream: true,
    ...(payload && { payload }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, String(each));
  }
  const body = WITHOUT_BODY.has(answer.statusCode) ? null : ReadableStream.from(answer.stream());
  return new Response(body as ReadableStream | null, { status: answer.statusCode, headers });
}

import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { addressOf } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { chatAnswer } from '@probity/test-support';

/** What a model's server was sent. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several interfaces
  readonly body: any;
  readonly response: ServerResponse;
}

/** What it answers: an object, or the events of a stream; or it answers by itself. */
export type ModelAnswer = object | readonly string[] | undefined;

/** A server on this machine in place of a provider's. */
export interface ModelServer {
  readonly url: string;
  readonly calls: SentCall[];
  /** Answers by `answer` from now on. */
  answer(answer: (call: SentCall) => ModelAnswer | Promise<ModelAnswer>): void;
}

/** Starts a server, which is closed after the test. Streams are sent in pieces of `pieces` bytes. */
export async function startModel(
  t: TestLifetime,
  first: (call: SentCall) => ModelAnswer | Promise<ModelAnswer> = () => chatAnswer('Hello.'),
  { pieces = 1_000 }: { readonly pieces?: number } = {},
): Promise<ModelServer> {
  const calls: SentCall[] = [];
  let answer = first;
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    const body = text === '' ? undefined : JSON.parse(text);
    const { method = '', headers } = request;
    const call = { method, path, headers, text, body, response };
    calls.push(call);
    const answered = await answer(call);
    if (answered === undefined) return;
    if (!Array.isArray(answered)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answered));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(answered.join(''));
    for (let at = 0; at < bytes.length; at += pieces) {
      if (!response.write(bytes.subarray(at, at + pieces))) await once(response, 'drain');
    }
    response.end();
  });
  const url = await addressOf(t, server.listen(0, '127.0.0.1'));
  return {
    url: `${url}/v1`,
    calls,
    answer(next) {
      answer = next;
    },
  };
}

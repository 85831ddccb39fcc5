import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A server in the form of the OpenAI API, and below `/anthropic` in that of Anthropic's. */
export interface ModelServer {
  readonly baseURL: string;
  readonly anthropicURL: string;
  /** The requests that have reached it. */
  readonly requests: readonly { readonly stream?: boolean; readonly messages: readonly object[] }[];
}

/** Starts a server that gives one answer, in words where it is to be streamed. */
export async function startModel(t: TestContext, content: string): Promise<ModelServer> {
  const requests: ModelServer['requests'][number][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = JSON.parse(body) as ModelServer['requests'][number];
    requests.push(asked);
    response.setHeader('Content-Type', asked.stream ? 'text/event-stream' : 'application/json');
    const form = request.url?.startsWith('/anthropic/') ? ANTHROPIC : OPENAI;
    response.end(asked.stream ? form.streamed(content) : JSON.stringify(form.whole(content)));
  }).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { baseURL: `${url}/v1`, anthropicURL: `${url}/anthropic`, requests };
}

const HEAD = { id: 'c1', created: 1, model: 'any' };

function whole(content: string): object {
  const message = { role: 'assistant', content };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { ...HEAD, object: 'chat.completion', choices, usage };
}

function streamed(content: string): string {
  const words = content.match(/\S+\s*/g) ?? [];
  const events = [...words.map((word) => [{ content: word }, null]), [{}, 'stop']].map(
    ([delta, reason]) => ({
      ...HEAD,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    }),
  );
  return [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

const OPENAI = { whole, streamed };

const MESSAGE = { id: 'm1', type: 'message', role: 'assistant', model: 'any', stop_sequence: null };
const USAGE = { input_tokens: 1, output_tokens: 1 };

const ANTHROPIC = {
  whole: (text: string) => ({
    ...{ ...MESSAGE, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: USAGE },
  }),
  streamed(content: string): string {
    const message = { ...MESSAGE, content: [], stop_reason: null, usage: USAGE };
    const words = content.match(/\S+\s*/g) ?? [];
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...words.map((text) => ({
        ...{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: USAGE },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
  },
};

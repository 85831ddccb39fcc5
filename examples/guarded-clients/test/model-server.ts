import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A server in the form of the OpenAI API. */
export interface ModelServer {
  readonly baseURL: string;
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
    response.end(asked.stream ? streamed(content) : JSON.stringify(whole(content)));
  }).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests };
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

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A request as the server got it. */
interface Call {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** No test may fail because the machine is busy. */
export const PATIENCE_MS = 600_000;

/** Answers one call; the next one in the list takes the next call, the last one all further ones. */
export type Answer = (response: ServerResponse, call: Call) => void;

export interface ModelServer {
  readonly baseUrl: string;
  readonly calls: Call[];
}

/** Starts an HTTP server on a free port that lives as long as the test. */
export async function startModelServer(
  test: TestContext,
  ...answers: Answer[]
): Promise<ModelServer> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      calls.push(call);
      answers[Math.min(calls.length, answers.length) - 1]?.(response, call);
    });
  });
  // One that ends idle connections fails a client that is just using one after a long pause.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, calls };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Call['body'];
  return { path: request.url ?? '', authorization: request.headers.authorization, body };
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

/** Answers as a chat model whose whole text is `content`. */
export function saying(content: unknown, finish: string | null = 'stop'): Answer {
  const message = { role: 'assistant', content };
  return (response) =>
    sendJson(response, {
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
    });
}

/** Answers as a chat model that gives a verdict. */
export function deciding(verdict: string, confidence: number): Answer {
  return saying(JSON.stringify({ verdict, confidence }));
}

/** Answers with a status and nothing else. */
export function refusing(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers).end('sk-secret is not welcome');
  };
}

/** Never answers. */
export const hanging: Answer = () => {};

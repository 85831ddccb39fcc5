import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { callOperation } from '../src/answers.ts';
import type { ClientOptions, ProbityApi, Timing } from '../src/index.ts';
import { createClient } from '../src/index.ts';
import type { Operation } from '../src/operation.ts';
import { settingsOf } from '../src/options.ts';

export const KEY = 'pbk_0123456789abcdefghijABCDEFGHIJ01crc321';

/** A request that the server of a test received. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps its requests. */
export interface TestServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

type Handler = (
  response: ServerResponse,
  request: ReceivedRequest,
  index: number,
) => void | Promise<void>;

/** Starts a server on loopback, which is closed with the test. */
export async function startServer(t: TestContext, handle: Handler): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming);
    requests.push(request);
    await handle(response, request, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function received(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks).toString() };
}

/** Answers JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers an error of the general API. */
export function answerError(
  response: ServerResponse,
  status: number,
  code = 'SOME_CODE',
  headers: Readonly<Record<string, string>> = {},
): void {
  const error = { code, message: `It failed with ${status}.`, statusCode: status };
  answer(response, status, { error: { ...error, requestId: 'req_1' } }, headers);
}

/** Time that passes only where a test lets it. */
export interface TestTiming extends Timing {
  /** The waits before retries, in milliseconds. */
  readonly waits: number[];
  /** The time limits that have not been canceled. */
  readonly deadlines: Set<() => void>;
}

/** Waits at once, and keeps time limits for the test to pass. */
export function createTestTiming(random = 0): TestTiming {
  const waits: number[] = [];
  const deadlines = new Set<() => void>();
  return {
    waits,
    deadlines,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    random: () => random,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    deadline(_ms, onPassed) {
      deadlines.add(onPassed);
      return () => deadlines.delete(onPassed);
    },
  };
}

/** A client of a server of a test, with its time. */
export function clientOf(
  { url }: Pick<TestServer, 'url'>,
  options: Partial<ClientOptions> = {},
): { readonly probity: ProbityApi; readonly timing: TestTiming } {
  const timing = createTestTiming();
  return { timing, probity: createClient({ baseUrl: url, apiKey: KEY, timing, ...options }) };
}

/** Calls an operation that the API does not have (yet). */
export function callAny(
  { url }: Pick<TestServer, 'url'>,
  operation: Pick<Operation, 'answer'> & Partial<Operation>,
  options: Partial<ClientOptions> = {},
  args: readonly unknown[] = [],
): unknown {
  const settings = settingsOf({ baseUrl: url, timing: createTestTiming(), ...options });
  const whole = { id: 'anything', method: 'GET', api: 'general', path: '/anything' } as const;
  return callOperation({ ...whole, ...operation }, settings, args);
}

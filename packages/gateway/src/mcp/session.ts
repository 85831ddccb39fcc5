import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '@probity/core';
import { parseJsonInTurns, writeJsonInTurns } from '@probity/pipeline/protocols';
import type { McpServerConfig } from '../config/mcp-keys.ts';
import { startMcpCall } from '../tracing/mcp-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import { readEvents, writeMessage } from './events.ts';
import type { McpGuard } from './guard.ts';
import type { Members, RpcBody, RpcError, RpcFailure, RpcMessage } from './json-rpc.ts';
import { errorResponse, idOf, isRequest, parseRpcBody, RPC_CODES } from './json-rpc.ts';
import type { SessionIds } from './session-id.ts';
import type { McpUpstream, UpstreamAnswer } from './upstream.ts';
import { readUpTo } from './upstream.ts';

/** What a client is answered. */
export type McpAnswer =
  | {
      readonly kind: 'json';
      readonly status: 200;
      readonly body: unknown;
      readonly headers: Headers;
    }
  | {
      readonly kind: 'json';
      readonly status: FailureStatus;
      readonly body: RpcFailure;
      readonly headers: Headers;
    }
  | { readonly kind: 'events'; readonly events: AsyncIterable<string>; readonly headers: Headers }
  | { readonly kind: 'empty'; readonly status: 200 | 202 | 204; readonly headers: Headers };

/** Statuses of what is not passed on. */
type FailureStatus = 400 | 403 | 404 | 405 | 502;

type Headers = Readonly<Record<string, string>>;

/** One call of a client. */
export interface McpCall {
  readonly server: McpServerConfig;
  readonly guard: McpGuard;
  readonly upstream: McpUpstream;
  readonly logger: Logger;
  readonly headers: IncomingHttpHeaders;
  readonly sessionIds: SessionIds;
  /** Aborted when the client has gone, or the stream is to end. */
  readonly signal: AbortSignal | undefined;
  /** The most bytes of an answer, and of an event. */
  readonly limit: number;
  /** The span of the request; undefined where traces are off. */
  readonly trace: TraceSpan | undefined;
}

const NO_HEADERS: Headers = {};
const UNKNOWN_SESSION: RpcError = {
  code: RPC_CODES.upstream,
  message: 'There is no such session for this API key.',
};
const INVALID: RpcError = {
  code: RPC_CODES.invalidRequest,
  message: 'The body is no message of JSON-RPC 2.0, and no list of 1 to 100.',
};

/** Passes on what a client sends, and what the server answers. */
export async function post(call: McpCall, body: unknown): Promise<McpAnswer> {
  const parsed = parseRpcBody(body);
  if (parsed === null) return failed(400, undefined, INVALID);
  if (isForeign(call)) return failed(404, parsed.messages.find(isRequest), UNKNOWN_SESSION);
  const fault = await call.guard.fromHeaders(call.headers);
  if (fault) return failed(400, parsed.messages.find(isRequest), fault);
  const forwards: Members[] = [];
  const answers: Members[] = [];
  let refusal: RpcError | null = null;
  for (const message of parsed.messages) {
    const guarded = await call.guard.fromClient(message);
    if (guarded.forward) forwards.push(guarded.forward);
    if (guarded.answer) answers.push(guarded.answer);
    refusal ??= guarded.refusal;
  }
  if (forwards.length > 0) return forward(call, parsed, forwards, answers);
  if (answers.length > 0) return json(parsed.isBatch ? answers : answers[0]);
  return failed(403, undefined, refusal ?? INVALID);
}

/** Opens a stream of what the server sends by itself, or goes on with one that was interrupted. */
export async function listen(call: McpCall): Promise<McpAnswer> {
  if (isForeign(call)) return failed(404, undefined, UNKNOWN_SESSION);
  const fault = await call.guard.fromHeaders(call.headers);
  if (fault) return failed(400, undefined, fault);
  const sent = await trySend(call, { method: 'GET' });
  if ('error' in sent) return failed(502, undefined, sent.error);
  const { answer } = sent;
  if (answer.status === 200 && answer.type === 'events') return events(call, answer, []);
  answer.body.destroy();
  return failed(passedStatus(answer.status), undefined, unexpected(answer));
}

/** Ends a session. */
export async function end(call: McpCall): Promise<McpAnswer> {
  if (isForeign(call)) return failed(404, undefined, UNKNOWN_SESSION);
  const fault = await call.guard.fromHeaders(call.headers);
  if (fault) return failed(400, undefined, fault);
  const sent = await trySend(call, { method: 'DELETE' });
  if ('error' in sent) return failed(502, undefined, sent.error);
  const { status, body } = sent.answer;
  await discard(body);
  if (status === 200 || status === 202 || status === 204) {
    return { kind: 'empty', status, headers: NO_HEADERS };
  }
  return failed(passedStatus(status), undefined, unexpected(sent.answer));
}

async function forward(
  call: McpCall,
  { messages, isBatch }: RpcBody,
  forwards: readonly Members[],
  answers: readonly Members[],
): Promise<McpAnswer> {
  const body = await writeJsonInTurns(isBatch ? forwards : forwards[0]);
  const sent = await trySend(call, { method: 'POST', body });
  const waiting = messages.filter(isRequest);
  const failAll = (status: FailureStatus, error: RpcError): McpAnswer => {
    if (waiting.length === 0 || status !== 502) return failed(status, waiting[0], error);
    const failures = waiting
      .filter((request) => !answers.some((answer) => idOf(answer) === idOf(request)))
      .map((request) => errorResponse(request, error));
    return json(isBatch ? [...answers, ...failures] : failures[0]);
  };
  if ('error' in sent) return failAll(502, sent.error);
  const { answer } = sent;
  if (answer.status === 202) {
    await discard(answer.body);
    if (answers.length > 0) return json(answers);
    return { kind: 'empty', status: 202, headers: sessionHeader(call, answer) };
  }
  if (answer.status === 200 && answer.type === 'events') return events(call, answer, answers);
  if (answer.status !== 200 || answer.type !== 'json') {
    answer.body.destroy();
    return failAll(passedStatus(answer.status), unexpected(answer));
  }
  try {
    const given = parseRpcBody(await parseJsonInTurns(await readUpTo(answer.body, call.limit)));
    if (given === null) throw new Error('the answer is no message of JSON-RPC 2.0');
    const passed: Members[] = [];
    for (const message of given.messages) {
      const member = await passToClient(call, message);
      if (member) passed.push(member);
    }
    const isList = given.isBatch || isBatch;
    if (!isList && passed.length === 0) throw new Error('the answer was not passed on');
    return json(isList ? [...answers, ...passed] : passed[0], sessionHeader(call, answer));
  } catch (error) {
    if (call.signal?.aborted) throw error;
    return failAll(502, { code: RPC_CODES.upstream, message: `MCP server: ${textOf(error)}.` });
  }
}

/** A request of the server that is refused is answered to the server, which waits for it. */
async function passToClient(call: McpCall, message: RpcMessage): Promise<Members | null> {
  const { forward: passed, answer } = await call.guard.fromServer(message);
  if (answer) {
    const sent = await trySend(call, { method: 'POST', body: await writeJsonInTurns(answer) });
    if ('answer' in sent) await discard(sent.answer.body);
  }
  return passed;
}

function events(call: McpCall, answer: UpstreamAnswer, first: readonly Members[]): McpAnswer {
  const headers = {
    ...sessionHeader(call, answer),
    'Cache-Control': 'no-store',
    // nginx would keep events back until its buffer is full.
    'X-Accel-Buffering': 'no',
  };
  return { kind: 'events', events: passEvents(call, answer, first), headers };
}

async function* passEvents(
  call: McpCall,
  { body }: UpstreamAnswer,
  first: readonly Members[],
): AsyncGenerator<string> {
  try {
    // The head of the answer goes out with it.
    yield ': open\n\n';
    for (const message of first) yield writeMessage(undefined, await writeJsonInTurns(message));
    for await (const part of readEvents(body, call.limit)) {
      if (part.kind === 'comment') yield ': waiting\n\n';
      else if (part.kind === 'retry') yield `retry: ${part.ms}\n\n`;
      else yield await passEvent(call, part);
    }
  } catch (error) {
    if (call.signal?.aborted) return;
    // A client goes on with the last event that it has got.
    call.logger.warn('a stream of an MCP server broke off', { error: textOf(error) });
  } finally {
    body.destroy();
  }
}

async function passEvent(
  call: McpCall,
  { id, data }: { readonly id: string | undefined; readonly data: string },
): Promise<string> {
  const nothing = id === undefined ? '' : writeMessage(id, '');
  if (data.trim() === '') return nothing;
  const parsed = parseRpcBody(await tryParse(data));
  if (parsed === null) return nothing;
  const passed: Members[] = [];
  for (const message of parsed.messages) {
    const member = await passToClient(call, message);
    if (member) passed.push(member);
  }
  if (passed.length === 0) return nothing;
  return writeMessage(id, await writeJsonInTurns(parsed.isBatch ? passed : passed[0]));
}

async function tryParse(text: string): Promise<unknown> {
  try {
    return await parseJsonInTurns(text);
  } catch {
    return undefined;
  }
}

/** Whether the call is of a session that this API key has not begun. */
function isForeign({ headers, sessionIds }: McpCall): boolean {
  const given = headers['mcp-session-id'];
  return given !== undefined && sessionIds.open(String(given)) === null;
}

/** The id of the session, as the client knows it. */
function sessionHeader({ sessionIds }: McpCall, { sessionId }: UpstreamAnswer): Headers {
  return sessionId === undefined ? NO_HEADERS : { 'Mcp-Session-Id': sessionIds.seal(sessionId) };
}

type Sent = { readonly answer: UpstreamAnswer } | { readonly error: RpcError };

async function trySend(
  { upstream, server, headers, sessionIds, signal, logger, trace }: McpCall,
  what: { readonly method: 'POST' | 'GET' | 'DELETE'; readonly body?: string },
): Promise<Sent> {
  const given = headers['mcp-session-id'];
  const sessionId = given === undefined ? undefined : (sessionIds.open(String(given)) ?? undefined);
  const span = startMcpCall(trace, server, what.method);
  try {
    const sent = { ...what, headers, sessionId, signal, trace: span?.headers };
    const answer = await upstream.send(server, sent);
    span?.set({ 'http.response.status_code': answer.status });
    return { answer };
  } catch (error) {
    span?.fail(signal?.aborted ? 'canceled' : 'unreachable');
    if (signal?.aborted) throw error;
    logger.warn('an MCP server did not answer', { error: textOf(error) });
    return { error: { code: RPC_CODES.upstream, message: 'The MCP server does not answer.' } };
  } finally {
    span?.end();
  }
}

/** Statuses that have a meaning in the protocol; anything else is a failure behind the gateway. */
function passedStatus(status: number): FailureStatus {
  return status === 400 || status === 404 || status === 405 ? status : 502;
}

function unexpected({ status, type }: UpstreamAnswer): RpcError {
  const about = status === 200 ? `with ${type === 'none' ? 'another type' : type}` : `${status}`;
  return { code: RPC_CODES.upstream, message: `The MCP server answered ${about}.` };
}

async function discard(body: UpstreamAnswer['body']): Promise<void> {
  await readUpTo(body, 1_048_576).catch(() => body.destroy());
}

function textOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return [code, message].filter(Boolean).join(' ') || String(error);
}

function json(body: unknown, headers: Headers = NO_HEADERS): McpAnswer {
  return { kind: 'json', status: 200, body, headers };
}

function failed(
  status: FailureStatus,
  request: RpcMessage | undefined,
  error: RpcError,
): McpAnswer {
  return { kind: 'json', status, body: errorResponse(request, error), headers: NO_HEADERS };
}

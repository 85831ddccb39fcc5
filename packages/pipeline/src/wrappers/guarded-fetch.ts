import { BlockedError } from '../errors.ts';
import { whenOver } from '../guard-session.ts';
import { parseJson, writeJson } from '../messages/number-texts.ts';
import type { AnswerGuard, ClientGuardOptions, StoredCall } from './answer-guard.ts';
import { createAnswerGuard } from './answer-guard.ts';
import { MESSAGES } from './anthropic-endpoint.ts';
import { createIsAsked } from './asked-texts.ts';
import type { AnswerEvents, Endpoint, Members } from './endpoint.ts';
import { CHAT, RESPONSES } from './openai-endpoints.ts';
import { createEventReader, writeEvent } from './server-sent-events.ts';

/** `fetch`, as far as the wrapper uses it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Options of {@link createGuardedFetch}. */
export interface GuardedFetchOptions extends ClientGuardOptions {
  /** Makes the calls. Default: the global one. */
  readonly fetch?: Fetch | undefined;
}

/** The type of an error that says that a policy blocks. */
export const ERROR_TYPE = 'probity_blocked';

/** The interfaces by the ends of their paths; OpenAI's threads have messages of another form. */
const ENDPOINTS: readonly (readonly [RegExp, Endpoint])[] = [
  [/\/chat\/completions\/?$/, CHAT],
  [/\/responses\/?$/, RESPONSES],
  [/(?<!\/threads\/[^/]+)\/messages(?:\/count_tokens)?\/?$/, MESSAGES],
];

/**
 * Makes a `fetch` that guards calls of `…/chat/completions` and `…/responses` in the protocol of
 * OpenAI and of `…/messages` in that of Anthropic, for any client that takes a `fetch`.
 *
 * A blocked request is not sent, and a blocked answer not given: both are answered by status 403 with
 * `{ error: { type: 'probity_blocked', code, message, violation } }`, which clients do not try again. A stream fails
 * with a {@link BlockedError}. Messages of a wrong form are answered by status 400.
 *
 * @throws TypeError for options that do not exist
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): Fetch {
  return guardFetch(createAnswerGuard('createGuardedFetch', options, ['fetch']), options.fetch);
}

/** @param given makes the calls; by default the global one, as it is at each call */
export function guardFetch(answers: AnswerGuard, given: Fetch | undefined): Fetch {
  return async (input, init = {}) => {
    const send = given ?? fetch;
    const endpoint = endpointOf(input, init);
    if (endpoint === undefined) return send(input, init);
    try {
      const body = readBody(init.body);
      const asked = endpoint.messagesOf(body);
      const opened = answers.open(asked, init.signal ?? undefined);
      const messages = await opened.checkRequest();
      const call = {
        ...opened,
        isAsked: createIsAsked(() => endpoint.withMessages(body, messages)),
      };
      const isSame = messages.every((message, index) => message === asked[index]);
      const sent = isSame ? init.body : writeJson(endpoint.withMessages(body, messages), body);
      const headers = new Headers(init.headers);
      headers.delete('content-length');
      const response = await send(input, { ...init, body: sent ?? null, headers });
      return await guardResponse(response, endpoint, call);
    } catch (error) {
      if (error instanceof BlockedError) return toRefusal(error);
      // Clients take what is thrown for a broken connection, and try it again.
      if (error instanceof TypeError && isWrongForm(error)) return toFault(error);
      throw error;
    }
  };
}

function endpointOf(input: string | URL | Request, { method }: RequestInit): Endpoint | undefined {
  const isRequest = input instanceof Request;
  const { pathname } = new URL(isRequest ? input.url : input);
  const verb = method ?? (isRequest ? input.method : 'GET');
  if (verb.toUpperCase() !== 'POST') return undefined;
  const [, endpoint] = ENDPOINTS.find(([path]) => path.test(pathname)) ?? [];
  if (endpoint !== undefined && isRequest) {
    throw new TypeError('A guarded fetch needs the URL and the body apart, not a Request.');
  }
  return endpoint;
}

function readBody(body: unknown): Members {
  // What cannot be read must not be sent unchecked.
  if (typeof body !== 'string') throw new TypeError('A guarded fetch needs a body that is a text.');
  return parseJson(body) as Members;
}

async function guardResponse(
  response: Response,
  endpoint: Endpoint,
  call: StoredCall,
): Promise<Response> {
  if (!response.ok) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The body is decoded already, and may get another length.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const init = { status, statusText, headers };
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream && response.body !== null) {
    const events = endpoint.createEvents(call);
    const guarded = response.body.pipeThrough(createEventTransform(events));
    return new Response(
      whenOver(guarded, () => call.finish()),
      init,
    );
  }
  const answer = readAnswer(await response.text());
  if (answer === undefined) return toUnreadable();
  const checked = await endpoint.checkAnswer(
    answer,
    (messages) => call.checkAnswer(messages),
    call.isAsked,
  );
  await call.finish();
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return new Response(writeJson(checked, answer), init);
}

function readAnswer(text: string): Members | undefined {
  try {
    const answer = parseJson(text);
    const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
    return isObject ? (answer as Members) : undefined;
  } catch {
    return undefined;
  }
}

function createEventTransform(events: AnswerEvents) {
  const reader = createEventReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  type Controller = TransformStreamDefaultController<Uint8Array>;
  const take = async (text: string, controller: Controller, isEnd: boolean) => {
    const came = isEnd ? [...reader.feed(text), ...reader.end()] : reader.feed(text);
    for (const event of came) {
      for (const out of await events.take(event))
        controller.enqueue(encoder.encode(writeEvent(out)));
    }
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) =>
      take(decoder.decode(bytes, { stream: true }), controller, false),
    async flush(controller) {
      await take(decoder.decode(), controller, true);
      for (const out of await events.end()) controller.enqueue(encoder.encode(writeEvent(out)));
    },
  });
}

function isWrongForm({ message }: TypeError): boolean {
  return message.startsWith('messages');
}

/** Anthropic's errors say that they are; those of OpenAI have no such member, and their clients read none. */
function errorResponse(error: object, status: number): Response {
  const headers = { 'x-should-retry': 'false' };
  return Response.json({ type: 'error', error }, { status, headers });
}

function toFault({ message }: TypeError): Response {
  return errorResponse({ type: 'invalid_request_error', message }, 400);
}

/** What cannot be read cannot be checked; a call that is tried again would be paid for again. */
function toUnreadable(): Response {
  const error = { type: 'invalid_response_error', message: 'the answer is no JSON object' };
  return errorResponse(error, 502);
}

function toRefusal({ message, violation }: BlockedError): Response {
  const error = { type: ERROR_TYPE, code: violation.code, message, violation };
  return errorResponse(error, 403);
}

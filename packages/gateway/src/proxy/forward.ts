import type { CallContext } from '@probity/core';
import { BlockedError } from '@probity/pipeline';
import type { Members } from '@probity/pipeline/protocols';
import type { EntranceParts } from '../http/entrance.ts';
import { passedHeaders, readAnswer, upstreamError } from './answer.ts';
import type { ProxyCall } from './guarded-call.ts';
import { openProxyCall } from './guarded-call.ts';
import type { ModelRoute, ModelRoutes } from './model-routes.ts';
import { targetOf, upstreamModel } from './model-routes.ts';
import type { ProxyProtocol } from './protocols.ts';
import { blockedError, proxyError } from './proxy-error.ts';
import type { RequestBody } from './request-body.ts';
import { chooseRestoration } from './restoration.ts';
import { settingsTextsOf } from './settings-texts.ts';
import { guardStream } from './stream.ts';

/** What calls of one snapshot share. */
export interface ForwardParts extends EntranceParts {
  readonly routes: ModelRoutes;
  /** Scans, and knows the results of earlier turns; made for one snapshot. */
  readonly scan: Parameters<typeof openProxyCall>[0]['scan'];
}

/** A call of a client. */
export interface ForwardRequest {
  readonly context: CallContext;
  readonly protocol: ProxyProtocol;
  readonly body: RequestBody;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An answer that may be passed on. */
export interface ForwardedAnswer {
  readonly type: 'application/json' | 'text/event-stream';
  readonly data: Uint8Array | AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Checks a call, sends what may be sent, and checks the answer.
 *
 * @throws ProbityError in the words of the interface
 */
export async function forward(
  parts: ForwardParts,
  request: ForwardRequest,
): Promise<ForwardedAnswer> {
  const { protocol, body, context } = request;
  const route = findRoute(parts.routes, body.members);
  const settings = settingsTextsOf(body.members, protocol.endpoint.messageMembers);
  const asked = messagesOf(protocol, body.members);
  const call = openCall(parts, request, { asked, settings: settings.texts });
  const checked = await refusing(() => call.checkWhole());
  const isSame =
    checked.messages.every((message, index) => message === asked[index]) &&
    checked.settings.every((text, index) => text === settings.texts[index]);
  const model = upstreamModel(route);
  const sent =
    isSame && body.members.model === model
      ? body.bytes
      : JSON.stringify({
          ...protocol.endpoint.withMessages(settings.replaced(checked.settings), checked.messages),
          model,
        });
  const response = await parts.upstream.send({
    target: targetOf(route, protocol.path, protocol.credential),
    headers: headersOf(request),
    body: sent,
    timeoutMs: parts.scanner.snapshot.config.models.timeout_ms,
    signal: context.signal,
  });
  if (response.statusCode < 200 || response.statusCode > 299)
    throw await upstreamError(response, route);
  const headers = passedHeaders(response.headers);
  const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
  if (isStream) {
    const onEnd = (error?: unknown) => call.reportAnswer(error);
    const options = { protocol, call, source: response.body, requestId: context.requestId, onEnd };
    return { type: 'text/event-stream', data: guardStream(options), headers };
  }
  const limit = parts.scanner.snapshot.config.server.max_payload_size;
  const answer = await checkAnswer(protocol, call, () => readAnswer(response.body, limit));
  return { type: 'application/json', data: Buffer.from(JSON.stringify(answer)), headers };
}

/** @throws ProbityError with status 404 for a model that is not on */
function findRoute(routes: ModelRoutes, { model }: Members): ModelRoute {
  if (typeof model !== 'string') {
    throw proxyError({ status: 400, message: 'model: expected a text', param: 'model' });
  }
  const route = routes.find(model);
  if (route !== undefined) return route;
  const message = `The model ${JSON.stringify(model.slice(0, 100))} does not exist here, or is not enabled.`;
  throw proxyError({ status: 404, message, code: 'model_not_found', param: 'model' });
}

function messagesOf({ endpoint }: ProxyProtocol, members: Members): readonly object[] {
  const messages = endpoint.messagesOf(members);
  if (Array.isArray(messages) && messages.length > 0) return messages;
  throw proxyError({
    status: 400,
    message: 'messages: expected a list of at least one message',
    param: endpoint.messageMembers.at(-1) ?? null,
  });
}

function openCall(
  parts: ForwardParts,
  { context, protocol, body, headers }: ForwardRequest,
  texts: { readonly asked: readonly object[]; readonly settings: readonly string[] },
): ProxyCall {
  const { snapshot } = parts.scanner;
  const userId = protocol.userOf(body.members);
  const keyUsers = parts.keys.named(context.principal.keyId)?.users ?? [];
  const bypass = snapshot.allowlists.bypassOf({
    address: context.address,
    keyUsers,
    ...(userId !== undefined && { userId }),
  });
  const bearer = /^bearer +(\S+) *$/i.exec(String(headers.authorization ?? ''))?.[1];
  const token = bearer ?? headers[protocol.tokenHeader]?.toString() ?? null;
  const restoration = chooseRestoration(snapshot, { token, asked: texts.asked });
  const { reporting, scan } = parts;
  return openProxyCall({ snapshot, reporting, context, scan, restoration, bypass, ...texts });
}

function headersOf({ protocol, headers }: ForwardRequest): Record<string, string> {
  const passed: Record<string, string> = { 'content-type': 'application/json' };
  for (const name of protocol.headers) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

async function checkAnswer(
  { endpoint }: ProxyProtocol,
  call: ProxyCall,
  read: () => Promise<Members>,
): Promise<Members> {
  try {
    const answer = await refusing(async () =>
      endpoint.checkAnswer(await read(), (messages) => call.checkAnswer(messages)),
    );
    call.reportAnswer();
    return answer;
  } catch (error) {
    call.reportAnswer(error);
    throw error;
  }
}

/** Blocks and messages of a wrong form are errors of the interface. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BlockedError) throw blockedError(error.violation);
    if (error instanceof TypeError && error.message.startsWith('messages')) {
      const [param = null] = error.message.split(':');
      throw proxyError({ status: 400, message: error.message, param });
    }
    throw error;
  }
}

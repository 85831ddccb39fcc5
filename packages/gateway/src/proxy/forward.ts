import type { CallContext } from '@probity/core';
import { ProbityError, toProbityError } from '@probity/core';
import { BlockedError } from '@probity/pipeline';
import type { Members } from '@probity/pipeline/protocols';
import { writeJsonInTurns } from '@probity/pipeline/protocols';
import type { EntranceParts } from '../http/entrance.ts';
import { afterWriting } from '../scanner/after-writing.ts';
import { reportUnscanned } from '../scanner/report.ts';
import type { AnswerFacts } from '../tracing/model-spans.ts';
import { createAnswerFacts } from '../tracing/model-spans.ts';
import { spanOf } from '../tracing/tracing.ts';
import type { ReadAnswer } from './answer.ts';
import { readAnswer, readKind, unreadable, writeAnswer } from './answer.ts';
import type { EndedCall } from './call-log.ts';
import { logCall } from './call-log.ts';
import { endOf } from './call-report.ts';
import type { CheckedRequest, ProxyCall } from './guarded-call.ts';
import { openProxyCall } from './guarded-call.ts';
import type { ModelRoute, ModelRoutes } from './model-routes.ts';
import { headerNameOf, nameOf } from './model-routes.ts';
import type { ProxyProtocol } from './protocols.ts';
import { checkedError, passedHeaders } from './provider-errors.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { createProviderSecrets, withoutSecrets } from './provider-secrets.ts';
import { blockedError, faultOf, proxyError } from './proxy-error.ts';
import type { RequestBody } from './request-body.ts';
import { requireOwnPrevious } from './response-owners.ts';
import { chooseRestoration, tokenIn } from './restoration.ts';
import type { SentCall } from './send.ts';
import { sendCall } from './send.ts';
import { settingsOf, withSettings } from './settings.ts';
import { guardStream } from './stream.ts';
import type { CallTokens } from './token-reservation.ts';
import { reserveTokens } from './token-reservation.ts';
import { mergeUsage, textBytesIn, usageOf } from './usage.ts';

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
  /** The model, where the path names it. */
  readonly model: string | undefined;
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
  const { modelLimits, reporting } = parts;
  const startedAtMs = reporting.clock.monotonicMs();
  const routes = findRoutes(parts.routes, request.model ?? body.members.model, protocol.home);
  const requested = routes[0] as ModelRoute;
  const asked = messagesOf(protocol, body.members);
  await requireOwnPrevious(parts.responseOwners, request);
  const settings = settingsOf(body.members, protocol.endpoint.messageMembers);
  const secrets = createProviderSecrets(routes.map(({ provider }) => provider.api_key));
  let sent: SentCall | undefined;
  const routed = () => sent?.route ?? requested;
  const model = () => nameOf(routed());
  const call = openCall(parts, request, { asked, settings, secrets, model });
  const elapsedMs = () => reporting.clock.monotonicMs() - startedAtMs;
  const tokens = await reserveTokens(modelLimits, reporting.clock, {
    key: context.principal.keyId,
    protocol,
    members: body.members,
    bytes: body.bytes.length,
  }).catch((error: unknown) => {
    if (toProbityError(error).status >= 500) reportUnscanned(reporting, elapsedMs());
    throw error;
  });
  let facts: AnswerFacts | undefined;
  let attempts = 0;
  let isEnded = false;
  const end = (ended: Pick<EndedCall, 'usage' | 'isEstimate' | 'error'>) => {
    if (isEnded) return;
    isEnded = true;
    tokens.settle(ended.usage);
    const known: EndedCall = {
      route: routed(),
      requested,
      operation: protocol.operationId,
      isStream: body.members.stream === true,
      attempts,
      unscanned: call.unscanned,
      durationMs: elapsedMs(),
      span: sent?.span,
      facts,
      usage: ended.usage,
      isEstimate: ended.isEstimate,
      error: endOf(ended.error, context.signal),
    };
    afterWriting(context, reporting.logger, () => logCall(reporting, context, known));
  };
  try {
    const checked = await refusing(() => call.checkWhole());
    const whole = withChecked(protocol, body.members, { asked, settings, checked });
    const counted = tokens.isCounted ? (protocol.askForUsage?.(whole) ?? whole) : whole;
    sent = await sendCall({
      upstream: parts.upstream,
      limits: modelLimits,
      protocol,
      routes,
      bodyFor: async (model) =>
        counted === body.members && model === body.members.model
          ? body.bytes
          : writeJsonInTurns({ ...counted, model }, body.members),
      headers: headersOf(request),
      timeoutMs: parts.scanner.snapshot.config.models.timeout_ms,
      retries: parts.scanner.snapshot.config.models.retries,
      signal: context.signal,
      trace: spanOf(context),
      onAttempt() {
        attempts++;
      },
      onFailed(route, error) {
        parts.failedAttempts.record({ route, requested, error, requestId: context.requestId });
      },
    });
    const hidesUsage = counted !== whole;
    facts = createAnswerFacts(sent.span);
    const { route } = sent;
    const note = async ({ id }: Members) => {
      if (!protocol.isStored || typeof id !== 'string') return;
      await parts.responseOwners.note(id, { key: context.principal.keyId, model: nameOf(route) });
    };
    const begun = { call, sent, secrets, tokens, hidesUsage, facts, note, end };
    return await passAnswer(parts, request, begun);
  } catch (thrown) {
    const error = await checkedError(call, thrown).catch((failed: unknown) => failed);
    // What was sent and not answered may have been paid for.
    const isPaid = sent !== undefined || (attempts > 0 && isUnanswered(thrown, context.signal));
    end({ usage: isPaid ? tokens.estimate(0) : null, isEstimate: true, error });
    throw error;
  }
}

/** An answer that has begun. */
interface BegunAnswer {
  readonly call: ProxyCall;
  readonly sent: SentCall;
  readonly secrets: ProviderSecrets;
  readonly tokens: CallTokens;
  /** Whether the client has not asked for the event that names the tokens. */
  readonly hidesUsage: boolean;
  readonly facts: AnswerFacts | undefined;
  /** Notes whose answer it is. */
  note(answer: Members): Promise<void>;
  end(ended: Pick<EndedCall, 'usage' | 'isEstimate' | 'error'>): void;
}

/** Passes on the answer of a provider as far as the policies let it pass. */
export async function passAnswer(
  parts: ForwardParts,
  { protocol, context }: Pick<ForwardRequest, 'protocol' | 'context'>,
  { call, sent, secrets, tokens, hidesUsage, facts, note, end }: BegunAnswer,
): Promise<ForwardedAnswer> {
  const { response, route } = sent;
  const headers = passedHeaders(response.headers, route);
  headers['x-probity-model'] = headerNameOf(route);
  if (readKind(response) === 'events') {
    const data = guardStream({
      ...{ protocol, call, source: response.body, requestId: context.requestId, hidesUsage },
      clock: parts.reporting.clock,
      clean: secrets.clean,
      observe: observerOf(protocol, facts, note),
      onEnd({ usage, textBytes, error }) {
        call.reportAnswer(error);
        // A stream that is cut has named the tokens of its beginning at most.
        const isEstimate = usage === null || error !== undefined;
        const used = isEstimate ? mergeUsage(usage, tokens.estimate(textBytes)) : usage;
        end({ usage: used, isEstimate, error });
      },
    });
    return {
      type: 'text/event-stream',
      data,
      headers: { ...headers, ...unscannedHeader(call) },
    };
  }
  const limit = parts.scanner.snapshot.config.server.max_payload_size;
  let usage = tokens.estimate(0);
  let isEstimate = true;
  try {
    let read: ReadAnswer = { text: '{}', members: {} };
    const answer = await checkAnswer(protocol, call, async () => {
      read = await readAnswer(response.body, limit);
      const { members } = read;
      facts?.take(members);
      await note(members);
      const named = usageOf(members);
      isEstimate = named === null;
      usage = named ?? tokens.estimate(await textBytesIn(members));
      return members;
    });
    end({ usage, isEstimate });
    const data = Buffer.from(await writeAnswer(answer, read, secrets.clean));
    return { type: 'application/json', data, headers: { ...headers, ...unscannedHeader(call) } };
  } catch (error) {
    // A blocked answer has been paid for as well.
    end({ usage, isEstimate, error });
    throw error;
  }
}

/** Takes each event of a stream; the first one of a stored answer has its id. */
function observerOf(
  { isStored }: ProxyProtocol,
  facts: AnswerFacts | undefined,
  note: BegunAnswer['note'],
): ((data: string) => void) | undefined {
  if (!isStored) return facts?.takeEvent;
  let isNoted = false;
  return (data) => {
    facts?.takeEvent(data);
    if (isNoted) return;
    isNoted = true;
    void note(answerIn(data)).catch(() => undefined);
  };
}

function answerIn(data: string): Members {
  try {
    const { response } = JSON.parse(data) as { readonly response?: Members | null };
    return response ?? {};
  } catch {
    return {};
  }
}

/** The request with what may be sent of it: itself where nothing is redacted. */
function withChecked(
  { endpoint }: ProxyProtocol,
  members: Members,
  parts: {
    readonly asked: readonly object[];
    readonly settings: Members;
    readonly checked: CheckedRequest;
  },
): Members {
  const { asked, settings, checked } = parts;
  const isSame =
    checked.messages.every((message, index) => message === asked[index]) &&
    checked.settings === settings;
  if (isSame) return members;
  return endpoint.withMessages(withSettings(members, settings, checked.settings), checked.messages);
}

/** Whether a provider may have worked for a call without an answer: the client left, or the time was over. */
function isUnanswered(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) return true;
  return error instanceof ProbityError && faultOf(error, 0).code === 'upstream_timeout';
}

/** Names what was not scanned: `image_url=2`. */
function unscannedHeader({ unscanned }: ProxyCall): Record<string, string> {
  const parts = [...unscanned].map(([type, count]) => `${type}=${count}`);
  return parts.length === 0 ? {} : { 'x-probity-unscanned': parts.join(', ') };
}

/** @throws ProbityError with status 404 for a model that is not on */
function findRoutes(routes: ModelRoutes, model: unknown, home?: string): readonly ModelRoute[] {
  if (typeof model !== 'string') {
    throw proxyError({ status: 400, message: 'model: expected a text', param: 'model' });
  }
  const found = routes.withFallbacks(model, home);
  if (found.length > 0) return found;
  const message = `The model ${JSON.stringify(model.slice(0, 100))} does not exist here, or is not enabled. Enable it below models.providers.<id>.models in the configuration of the gateway, or ask GET /v1/models for those that are on.`;
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

/** Opens the guarded call of a request, with the treatment that the API key and its users have. */
export function openCall(
  parts: ForwardParts,
  { context, protocol, body, headers }: ForwardRequest,
  {
    asked,
    settings,
    secrets,
    model,
  }: {
    readonly asked: readonly object[];
    readonly settings: Members;
    readonly secrets: ProviderSecrets;
    readonly model: () => string;
  },
): ProxyCall {
  const { snapshot } = parts.scanner;
  const userId = protocol.userOf(body.members);
  const keyUsers = parts.keys.named(context.principal.keyId)?.users ?? [];
  const bypass = snapshot.allowlists.bypassOf({
    address: context.address,
    keyUsers,
    ...(userId !== undefined && { userId }),
  });
  const token = tokenIn(headers) ?? headers[protocol.tokenHeader]?.toString() ?? null;
  const treatment = chooseRestoration(snapshot, { token, asked });
  const restoration = withoutSecrets(treatment, secrets);
  const { reporting, scan } = parts;
  return openProxyCall({
    snapshot,
    reporting,
    context,
    scan,
    restoration,
    bypass,
    userId,
    asked,
    settings,
    model,
  });
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
    const answer = await endpoint.checkAnswer(
      await read(),
      (messages) => call.checkAnswer(messages),
      call.isAsked,
    );
    call.reportAnswer();
    return answer;
  } catch (error) {
    call.reportAnswer(error);
    if (error instanceof BlockedError) throw blockedError(error.violation, 'answer');
    // The client is not to blame for messages of a wrong form, or nested too deep.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw unreadable('has another form than the interface');
    }
    throw error;
  }
}

/** Blocks and messages of a wrong form are errors of the interface. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BlockedError) throw blockedError(error.violation, 'request');
    if (error instanceof TypeError && error.message.startsWith('messages')) {
      const [param = null] = error.message.split(':');
      throw proxyError({ status: 400, message: error.message, param });
    }
    throw error;
  }
}

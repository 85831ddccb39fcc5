import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Endpoint } from '@probity/pipeline/protocols';
import { RESPONSES } from '@probity/pipeline/protocols';
import type { ForwardedAnswer, ForwardParts, ForwardRequest } from './forward.ts';
import { openCall, passAnswer } from './forward.ts';
import type { ModelRoute } from './model-routes.ts';
import { nameOf } from './model-routes.ts';
import type { ProxyProtocol } from './protocols.ts';
import { checkedError, upstreamError } from './provider-errors.ts';
import { createProviderSecrets } from './provider-secrets.ts';
import { proxyError } from './proxy-error.ts';
import type { SentCall } from './send.ts';
import { targetOf } from './upstream-target.ts';

/** A request about a response that a provider stores. */
export interface StoredResponseRequest {
  readonly context: CallContext;
  readonly protocol: ProxyProtocol;
  readonly headers: ForwardRequest['headers'];
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly id: string;
  /** The path below the response. */
  readonly below: '' | '/cancel' | '/input_items';
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Ids as providers make them, so that none leads to another path. */
const ID = /^[\w-]{1,256}$/;

/** The question is not known here: the answer is judged by itself. */
const UNKNOWN = [{ role: 'user', content: '' }];

/** Reads the list of input items like the output of an answer. */
const INPUT_ITEMS: Endpoint = {
  ...RESPONSES,
  async checkAnswer({ data, ...rest }, check) {
    const answer = await RESPONSES.checkAnswer({ ...rest, output: data }, check);
    const { output, ...others } = answer;
    return { ...others, data: output };
  },
};

/**
 * Asks the provider that holds a response, and checks its answer as usual.
 *
 * @throws ProbityError with status 404 for a response that another API key made; else in the words of the interface
 */
export async function forwardStored(
  parts: ForwardParts,
  request: StoredResponseRequest,
): Promise<ForwardedAnswer> {
  const { context, below, headers } = request;
  const protocol =
    below === '/input_items' ? { ...request.protocol, endpoint: INPUT_ITEMS } : request.protocol;
  const routes = await routesOf(parts, request);
  const secrets = createProviderSecrets(routes.map(({ provider }) => provider.api_key));
  let sent: SentCall | undefined;
  const model = () => nameOf(sent?.route ?? (routes[0] as ModelRoute));
  const body = { bytes: new Uint8Array(), members: {} };
  const opened = openCall(
    parts,
    { context, protocol, body, model: undefined, headers },
    { asked: UNKNOWN, settings: {}, secrets, model },
  );
  const call = { ...opened, isAsked: undefined };
  try {
    sent = await ask(parts, request, routes);
    const tokens = { isCounted: false, estimate: () => null, settle: () => undefined };
    const begun = { call, sent, secrets, tokens, hidesUsage: false, facts: undefined };
    return await passAnswer(
      parts,
      { context, protocol },
      { ...begun, note: async () => undefined, end: () => undefined },
    );
  } catch (thrown) {
    throw await checkedError(call, thrown).catch((failed: unknown) => failed);
  }
}

/** The model that made the response; without knowing it, one of each provider. */
async function routesOf(
  { routes, responseOwners }: ForwardParts,
  { id, context }: StoredResponseRequest,
): Promise<readonly ModelRoute[]> {
  if (!ID.test(id)) throw notFound(id);
  const owner = await responseOwners.find(id);
  if (owner !== null && owner.key !== context.principal.keyId) throw notFound(id);
  const known = new Map(routes.all.map((route) => [route.providerId, route]));
  const asked = owner === null ? [...known.values()] : routes.withName(owner.model);
  if (asked.length === 0) throw notFound(id);
  return asked;
}

/** Asks one provider after the other, until one knows the response. */
async function ask(
  parts: ForwardParts,
  request: StoredResponseRequest,
  routes: readonly ModelRoute[],
): Promise<SentCall> {
  for (const [index, route] of routes.entries()) {
    try {
      return await askOnce(parts, request, route);
    } catch (error) {
      const isUnknown = error instanceof ProbityError && error.status === 404;
      if (!isUnknown || index === routes.length - 1) throw error;
    }
  }
  throw notFound(request.id);
}

async function askOnce(
  { upstream, scanner }: ForwardParts,
  { protocol, method, id, below, query, context }: StoredResponseRequest,
  route: ModelRoute,
): Promise<SentCall> {
  const target = targetOf(route, `${protocol.path}/${id}${below}`, protocol.credential);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) target.url.searchParams.set(name, value);
  }
  const { timeout_ms: timeoutMs } = scanner.snapshot.config.models;
  const { signal } = context;
  const response = await upstream.send({ target, method, headers: {}, timeoutMs, signal });
  if (response.statusCode < 200 || response.statusCode > 299) {
    throw await upstreamError(response, route);
  }
  return { route, response, span: undefined };
}

function notFound(id: string): ProbityError {
  const message = `Response with id ${JSON.stringify(id.slice(0, 256))} not found.`;
  return proxyError({ status: 404, message });
}

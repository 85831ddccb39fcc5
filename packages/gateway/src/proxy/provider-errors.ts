import { ProbityError } from '@probity/core';
import { BlockedError } from '@probity/pipeline';
import type { Members } from '@probity/pipeline/protocols';
import type { Dispatcher } from 'undici';
import type { ProxyCall } from './guarded-call.ts';
import type { ModelRoute } from './model-routes.ts';
import { createProviderSecrets } from './provider-secrets.ts';
import { faultOf, proxyError } from './proxy-error.ts';

/** Errors of providers are short; what is longer is not read. */
const MAX_ERROR_BYTES = 65_536;

/** An identifier: no text, no address, and no number alone. */
const ID = /^(?=.*[A-Za-z])[\w.-]{1,128}$/;
const NUMBER = /^\d{1,12}(?:\.\d{1,6})?$/;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d))?$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Headers of a provider's answer that are passed on, and the forms of their values. */
const PASSED: readonly (readonly [name: RegExp, ...forms: RegExp[]])[] = [
  [/^retry-after$/, NUMBER, HTTP_DATE],
  [/^(?:retry-after-ms|openai-processing-ms)$/, NUMBER],
  [/^openai-version$/, DATE],
  [/^anthropic-ratelimit-.+$/, NUMBER, DATE],
];

/** Members of an error beside its message: words of the interface, and the path of a member. */
const WORD = /^[A-Za-z][\w.-]{0,127}$/;
const PATH = /^[A-Za-z][\w.[\]-]{0,127}$/;

/** The headers of an answer that clients get. The limits of the provider's key are the gateway's own matter. */
export function passedHeaders(
  headers: Dispatcher.ResponseData['headers'],
  { provider }: ModelRoute,
): Record<string, string> {
  const { clean } = createProviderSecrets([provider.api_key]);
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const [, ...forms] = PASSED.find(([known]) => known.test(name)) ?? [];
    if (typeof value === 'string' && forms.some((form) => form.test(value))) passed[name] = value;
  }
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['apim-request-id'];
  if (typeof id === 'string' && id === clean(id) && ID.test(id))
    passed['x-upstream-request-id'] = id;
  return passed;
}

/** Carries that an error repeats what a provider said. */
const said = new WeakSet<ProbityError>();

/**
 * The error for an answer that is no success. What a provider says of the gateway's credentials concerns its operator
 * alone; of everything else the message is passed on.
 */
export async function upstreamError(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  route: ModelRoute,
): Promise<ProbityError> {
  const { message, type, code, param } = readFault(await readLimited(body));
  const own = { type: 'server_error', param: null };
  if (statusCode === 401 || statusCode === 403 || statusCode < 400) {
    const key = `models.providers.${route.providerId}.api_key`;
    const remedy =
      route.provider.api_key === undefined
        ? `Set ${key} in the configuration of the gateway.`
        : `Check ${key} in the configuration of the gateway.`;
    const text = `The provider of the model refuses the gateway (status ${statusCode}). ${remedy}`;
    return proxyError({ ...own, status: 502, message: text, code: 'upstream_refused' });
  }
  const { clean } = createProviderSecrets([route.provider.api_key]);
  const inForm = (value: string | undefined, form: RegExp) =>
    value !== undefined && value === clean(value) && form.test(value) ? value : undefined;
  const error = proxyError(
    {
      status: statusCode,
      message:
        (message === undefined ? answeredWith(statusCode) : clean(message)) +
        pathHint(statusCode, route),
      type: inForm(type, WORD) ?? (statusCode >= 500 ? 'server_error' : 'invalid_request_error'),
      code: inForm(code, WORD) ?? null,
      param: inForm(param, PATH) ?? null,
      isQuoted: true,
    },
    passedHeaders(headers, route),
  );
  if (message) said.add(error);
  return error;
}

const answeredWith = (status: number) =>
  `The provider of the model answered with status ${status}.`;

/** Most wrong addresses lack the version, as those of other tools do. */
function pathHint(status: number, { provider, providerId }: ModelRoute): string {
  if (status !== 404 && status !== 405) return '';
  const { base_url: address = '', api_version } = provider;
  if (api_version !== undefined || new URL(address).pathname !== '/') return '';
  return ` The address of the provider has no path: check whether models.providers.${providerId}.base_url must end in /v1.`;
}

/**
 * The error of a call with what may be passed on of a provider's words, which are scanned as an answer is.
 *
 * @throws ProbityError `unavailable` with status 504 when the scan takes too long
 */
export async function checkedError(call: ProxyCall, error: unknown): Promise<unknown> {
  if (!(error instanceof ProbityError) || !said.has(error)) return error;
  const { status, headers } = error;
  const fault = faultOf(error, status);
  const answer = { role: 'assistant', content: fault.message };
  try {
    const [checked = answer] = await call.checkAnswer([answer]);
    call.reportAnswer();
    return proxyError({ ...fault, message: checked.content }, headers);
  } catch (thrown) {
    call.reportAnswer(thrown);
    if (!(thrown instanceof BlockedError)) throw thrown;
    return proxyError({ ...fault, message: answeredWith(status) }, headers);
  }
}

async function readLimited(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += (chunk as Buffer).length;
      if (length > MAX_ERROR_BYTES) break;
      parts.push(chunk as Buffer);
    }
  } catch {
    // What came is enough.
  }
  return Buffer.concat(parts).toString('utf8');
}

type Fault = Partial<Record<'message' | 'type' | 'code' | 'param', string>>;

function readFault(text: string): Fault {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === 'string') return { message: error };
    return Object.fromEntries(
      Object.entries(Object(error) as Members).filter(([, value]) => typeof value === 'string'),
    );
  } catch {
    return {};
  }
}

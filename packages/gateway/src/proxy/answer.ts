import type { Members } from '@probity/pipeline/protocols';
import type { Dispatcher } from 'undici';
import type { ModelRoute } from './model-routes.ts';
import { proxyError } from './proxy-error.ts';

/** Errors of providers are short; what is longer is not read. */
const MAX_ERROR_BYTES = 65_536;

/** Headers of a provider's answer that are passed on. */
const PASSED =
  /^(?:retry-after|retry-after-ms|openai-(?:processing-ms|version)|anthropic-ratelimit-.+)$/;

/** The headers of an answer that clients get. The limits of the provider's key are the gateway's own matter. */
export function passedHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && PASSED.test(name)) passed[name] = value;
  }
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['apim-request-id'];
  if (typeof id === 'string') passed['x-upstream-request-id'] = id;
  return passed;
}

/**
 * The error for an answer that is no success. What a provider says of the gateway's credentials concerns its operator
 * alone; of everything else the message is passed on.
 */
export async function upstreamError(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { provider }: ModelRoute,
) {
  const { message, type, code, param } = readFault(await readLimited(body));
  const own = { type: 'server_error', param: null };
  if (statusCode === 401 || statusCode === 403 || statusCode < 400) {
    const text = `The provider of the model refuses the gateway (status ${statusCode}).`;
    return proxyError({ ...own, status: 502, message: text, code: 'upstream_refused' });
  }
  const said = message ?? `The provider of the model answered with status ${statusCode}.`;
  const secret = provider.api_key;
  return proxyError(
    {
      status: statusCode,
      message: secret === undefined ? said : said.replaceAll(secret, '[API_KEY]'),
      type: type ?? (statusCode >= 500 ? 'server_error' : 'invalid_request_error'),
      code: code ?? null,
      param: param ?? null,
    },
    passedHeaders(headers),
  );
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

/** Reads a whole answer. @throws ProbityError with status 502 for what is no JSON object or longer than `limit` bytes */
export async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<Members> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    if (length > limit) throw unreadable(`is larger than ${limit} bytes`);
    parts.push(chunk as Buffer);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw unreadable('is no JSON');
  }
  if (typeof answer !== 'object' || answer === null) throw unreadable('is no JSON object');
  return answer as Members;
}

function unreadable(what: string) {
  return proxyError(
    {
      status: 502,
      message: `The answer of the model ${what}.`,
      type: 'server_error',
      code: 'upstream_broken',
    },
    { 'x-should-retry': 'false' },
  );
}

import type { ErrorFacts, ProbityError } from './errors.ts';
import { BlockedError, errorOfStatus } from './errors.ts';
import type { BlockedScan, FieldError } from './generated/schemas.ts';
import { retryAfterSeconds } from './retry.ts';

/** An answer whose status is none of success. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, or as much of it as the client reads. */
  readonly text: string;
  /** The API key of the request, which no error repeats; null without one. */
  readonly credential: string | null;
  /** Method and address of the request, for messages. */
  readonly route: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The error that an answer describes, in either form of the API. An answer that is not of the API, such
 * as one of a proxy, gets the code `http_<status>` and a message without its body.
 */
export function errorOfAnswer(answer: ErrorAnswer): ProbityError {
  const { status, headers, text, credential, route, now } = answer;
  const body = parseObject(text, credential);
  const general = objectIn(body, 'error');
  const described = general ?? body;
  const message = textIn(described, 'message') ?? foreignMessage(route, status);
  const facts: ErrorFacts & { readonly status: number } = {
    status,
    code: textIn(general, 'code') ?? textIn(body, 'error') ?? `http_${status}`,
    details: fieldErrorsIn(described),
    requestId:
      withoutKey(headers.get('x-request-id'), credential) ??
      textIn(general, 'requestId') ??
      textIn(body, 'request_id') ??
      null,
    retryAfter: retryAfterSeconds(headers.get('retry-after'), now),
  };
  const governance = objectIn(body, 'governance');
  return governance && status === 403
    ? new BlockedError(message, facts, governance as unknown as BlockedScan['governance'])
    : errorOfStatus(message, facts);
}

/**
 * The API describes each of its errors: a 404 without a description is of another server, of a proxy, or of an
 * application that embeds other capabilities.
 */
function foreignMessage(route: string, status: number): string {
  const hint =
    status === 404
      ? ', and not by the API: it does not have this operation there. Is baseUrl right?'
      : '.';
  return `${route} was answered ${status}${hint}`;
}

/** The value with a note in place of the key, in texts and names of members; escapes of JSON have been read before. */
function withoutKey<Value>(value: Value, key: string | null): Value {
  if (key === null) return value;
  const clean = (each: unknown): unknown => {
    if (typeof each === 'string') return each.replaceAll(key, '[API key]');
    if (Array.isArray(each)) return each.map(clean);
    if (typeof each !== 'object' || each === null) return each;
    const members = Object.entries(each).map(([name, member]) => [clean(name), clean(member)]);
    return Object.fromEntries(members);
  };
  return clean(value) as Value;
}

type Members = Readonly<Record<string, unknown>>;

function parseObject(text: string, key: string | null): Members | undefined {
  try {
    return asObject(withoutKey(JSON.parse(text), key));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null ? (value as Members) : undefined;
}

function objectIn(object: Members | undefined, name: string): Members | undefined {
  return asObject(object?.[name]);
}

function textIn(object: Members | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

function fieldErrorsIn(object: Members | undefined): readonly FieldError[] {
  const details = object?.details;
  if (!Array.isArray(details)) return [];
  return details.filter((each): each is FieldError => {
    const entry = asObject(each);
    return textIn(entry, 'field') !== undefined && textIn(entry, 'message') !== undefined;
  });
}

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
  /** Method and address of the request, for messages. */
  readonly route: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The error that an answer describes, in either form of the API. An answer that is not of the API, such
 * as one of a proxy, gets the code `http_<status>` and a message without its body.
 */
export function errorOfAnswer({ status, headers, text, route, now }: ErrorAnswer): ProbityError {
  const body = parseObject(text);
  const general = objectIn(body, 'error');
  const described = general ?? body;
  const message = textIn(described, 'message') ?? foreignMessage(route, status);
  const facts: ErrorFacts & { readonly status: number } = {
    status,
    code: textIn(general, 'code') ?? textIn(body, 'error') ?? `http_${status}`,
    details: fieldErrorsIn(described),
    requestId:
      headers.get('x-request-id') ??
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

/** The API describes each of its errors: a 404 without a description is of another server, or of a proxy. */
function foreignMessage(route: string, status: number): string {
  const hint = status === 404 ? ', and not by the API. Is baseUrl right?' : '.';
  return `${route} was answered ${status}${hint}`;
}

type Members = Readonly<Record<string, unknown>>;

function parseObject(text: string): Members | undefined {
  try {
    return asObject(JSON.parse(text));
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

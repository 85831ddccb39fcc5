// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import { WebhookVerificationError } from './verification-error.ts';

/**
 * The headers of a request: `Headers` of the Fetch API, `IncomingHttpHeaders` of Node, or any object
 * by name, in upper or lower case.
 */
export type HeaderSource =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * The value of a header, several joined as HTTP joins them.
 * @param name in lower case
 * @throws WebhookVerificationError `header_missing`
 * @throws TypeError when `headers` are no object
 */
export function requireHeader(headers: HeaderSource, name: string): string {
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError("headers must be Headers, Node's request.headers, or an object by name");
  }
  const value = isHeaders(headers) ? headers.get(name) : joinedValue(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `The request has no header ${name}.`);
}

function isHeaders(headers: HeaderSource): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function joinedValue(
  headers: { readonly [name: string]: string | readonly string[] | undefined },
  name: string,
): string {
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .join(', ');
}

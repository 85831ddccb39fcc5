import type { CallOptions, KeyedCallOptions } from './call-options.ts';
import { isTextParts, lineBody } from './line-body.ts';
import type { Operation } from './operation.ts';
import type { ClientSettings } from './options.ts';

/** A call of an operation with its arguments. */
export interface Call {
  readonly operation: Operation;
  /** Address of the request. */
  readonly url: string;
  /** JSON, or what makes a stream of JSON Lines that ends when the signal aborts; undefined without a body. */
  readonly body: string | ((signal: AbortSignal) => ReadableStream<Uint8Array>) | undefined;
  /** The same for all attempts; null for calls that change nothing or have no key. */
  readonly idempotencyKey: string | null;
  readonly options: CallOptions;
}

/** Values of query parameters; one that is undefined or null is left out. */
export type QueryValues = Readonly<Record<string, unknown>>;

/** Arguments of a method in the order of {@link Operation.parameters}, body or query, options. */
export function callOf(
  operation: Operation,
  { prefixes }: ClientSettings,
  args: readonly unknown[],
): Call {
  const { parameters = [], takesBody = false, takesQuery = false } = operation;
  const rest = args.slice(parameters.length);
  const input = takesBody || takesQuery ? rest.shift() : undefined;
  const options = (rest[0] ?? {}) as KeyedCallOptions & { readonly query?: QueryValues };
  const query = takesBody ? options.query : (input as QueryValues | undefined);
  return {
    operation,
    url: prefixes[operation.api] + pathOf(operation, args) + (takesQuery ? searchOf(query) : ''),
    body: takesBody && input !== undefined ? bodyOf(operation, input) : undefined,
    idempotencyKey: operation.isKeyed ? (options.idempotencyKey ?? randomKey()) : null,
    options,
  };
}

function bodyOf({ partsOf }: Operation, input: unknown): Call['body'] {
  if (partsOf === undefined || typeof input !== 'object' || input === null) {
    return JSON.stringify(input);
  }
  const { [partsOf]: parts, ...head } = input as Readonly<Record<string, unknown>>;
  return isTextParts(parts) ? (signal) => lineBody(head, parts, signal) : JSON.stringify(input);
}

/** The call with other query parameters, of an operation without a body. */
export function withQuery(call: Call, query: QueryValues): Call {
  return { ...call, url: call.url.replace(/\?.*$/, '') + searchOf(query) };
}

function pathOf({ path, parameters = [] }: Operation, args: readonly unknown[]): string {
  let index = 0;
  return path.replace(/\{\w+\}/g, () => {
    const name = parameters[index] ?? '';
    const value = args[index];
    index += 1;
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${name} must be a text that is not empty`);
    }
    // As a segment of their own, these would lead to another operation.
    if (value === '.' || value === '..') throw new TypeError(`${name} must not be ${value}`);
    return encodeURIComponent(value);
  });
}

function searchOf(query: QueryValues = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, textOf(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Not randomUUID, which browsers have on pages of https only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

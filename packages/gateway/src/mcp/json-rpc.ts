import { keepNumbers, numberText } from '@probity/pipeline/protocols';

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC 2.0: a request, a notification or a response. */
export interface RpcMessage extends Members {
  readonly jsonrpc: '2.0';
  /** Null in an error whose request is not known. */
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What is wrong with a request, or with what it led to. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Members;
}

/** A response that says what is wrong. */
export interface RpcFailure extends Members {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: RpcError;
}

/** Codes of errors: those of JSON-RPC, and of what the gateway does not pass on. */
export const RPC_CODES = {
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  upstream: -32_000,
  blocked: -32_001,
} as const;

/** Messages of one body. */
export interface RpcBody {
  readonly messages: readonly RpcMessage[];
  readonly isBatch: boolean;
}

const MAX_BATCH = 100;

/**
 * Reads the messages of a body. Members that JSON-RPC does not know are left out, so that nothing is passed on
 * that was not looked at.
 *
 * @returns null for what is no message, and for a batch of none or of more than 100
 */
export function parseRpcBody(body: unknown): RpcBody | null {
  const isBatch = Array.isArray(body);
  const given: unknown[] = isBatch ? body : [body];
  if (given.length === 0 || given.length > MAX_BATCH) return null;
  const messages = given.map((each) => {
    const message = parseMessage(each);
    return message === null ? null : keepNumbers(message, each as object);
  });
  return messages.every((message) => message !== null) ? { messages, isBatch } : null;
}

function parseMessage(value: unknown): RpcMessage | null {
  if (!isMembers(value) || value.jsonrpc !== '2.0') return null;
  const { id, method, params, result, error } = value;
  const hasId = typeof id === 'string' || typeof id === 'number';
  const known = { jsonrpc: '2.0' as const, ...(hasId && { id }) };
  if (typeof method === 'string') {
    if (id !== undefined && !hasId) return null;
    if (params !== undefined && (typeof params !== 'object' || params === null)) return null;
    return { ...known, method, ...(params !== undefined && { params }) };
  }
  if (error !== undefined) return isMembers(error) ? { id: null, ...known, error } : null;
  return hasId && result !== undefined ? { ...known, result } : null;
}

/** Whether a value is an object, and no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a message awaits a response. */
export function isRequest(message: RpcMessage): boolean {
  return message.method !== undefined && message.id !== undefined && message.id !== null;
}

/** The id of a message as it was sent; undefined where it has none. */
export function idOf(message: RpcMessage | Members): string | undefined {
  const { id } = message;
  if (typeof id === 'number') return numberText(message, 'id', id);
  return typeof id === 'string' ? JSON.stringify(id) : undefined;
}

/** The response that refuses a request; the id is null where there is none. */
export function errorResponse(request: RpcMessage | undefined, error: RpcError): RpcFailure {
  const response: RpcFailure = { jsonrpc: '2.0', id: request?.id ?? null, error };
  return request === undefined ? response : keepNumbers(response, request);
}

import type { RpcError, RpcMessage } from './json-rpc.ts';
import { idOf, RPC_CODES } from './json-rpc.ts';

/** Requests and notifications that the protocol lets a client send, in all of its versions. */
const CLIENT_METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'completion/complete', 'logging/setLevel'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read'],
  ...['resources/subscribe', 'resources/unsubscribe'],
  ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['notifications/roots/list_changed', 'notifications/tasks/status'],
]);
/** The same of a server. */
const SERVER_METHODS: ReadonlySet<string> = new Set([
  ...['ping', 'sampling/createMessage', 'elicitation/create', 'roots/list'],
  ...['notifications/message', 'notifications/progress', 'notifications/cancelled'],
  ...['notifications/tools/list_changed', 'notifications/prompts/list_changed'],
  ...['notifications/resources/list_changed', 'notifications/resources/updated'],
  ...['notifications/elicitation/complete', 'notifications/tasks/status'],
  ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
]);
const METHODS: ReadonlySet<string> = new Set([...CLIENT_METHODS, ...SERVER_METHODS]);

const METHOD = /^[A-Za-z$][\w.$-]{0,63}(?:\/[\w.$-]{1,64}){0,5}$/;
const WHOLE_NUMBER = /^-?\d{1,19}$/;
const VISIBLE = /^[!-~]{1,256}$/;
/** Numbers of requests, and UUIDs, which have no value of anything. */
const PLAIN_ID = /^(?:[A-Za-z_-]{0,16}\d{0,6}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
const VERSION = /^(?:20\d\d-[01]\d-[0-3]\d|DRAFT-20\d\d-v\d{1,3})$/;

/** The words of a message that are to be scanned, or the word that has not the form of the protocol. */
type Words = { readonly texts: readonly string[] } | { readonly fault: RpcError };

/** Looks at `id` and `method`: both go on as they are, and either may be any text. */
export function wordsOf(message: RpcMessage): Words {
  const { id, method } = message;
  const texts: string[] = [];
  if (method !== undefined && !METHODS.has(method)) {
    if (!METHOD.test(method)) return { fault: invalid('method', 'names and slashes') };
    texts.push(method);
  }
  if (id === undefined || id === null) return { texts };
  const text = typeof id === 'number' ? (idOf(message) ?? '') : id;
  const form = typeof id === 'number' ? WHOLE_NUMBER : VISIBLE;
  if (!form.test(text)) {
    return { fault: invalid('id', 'a whole number, or 1 to 256 visible ASCII characters') };
  }
  if (!PLAIN_ID.test(text)) texts.push(text);
  return { texts };
}

/** The same for the headers of the protocol that go on to the server. */
export function headerWordsOf(headers: Readonly<Record<string, unknown>>): Words {
  const { 'mcp-protocol-version': version, 'last-event-id': event } = headers;
  if (version !== undefined && !VERSION.test(String(version))) {
    return { fault: invalid('MCP-Protocol-Version', 'a date such as 2025-06-18') };
  }
  if (event === undefined) return { texts: [] };
  const text = String(event);
  if (!VISIBLE.test(text)) {
    return { fault: invalid('Last-Event-ID', '1 to 256 visible ASCII characters') };
  }
  return { texts: PLAIN_ID.test(text) ? [] : [text] };
}

function invalid(name: string, expected: string): RpcError {
  return { code: RPC_CODES.invalidRequest, message: `${name}: expected ${expected}.` };
}

/** Whether a client may send a method where a list of tools is set: another one may call a tool too. */
export function isClientMethod(method: string): boolean {
  return CLIENT_METHODS.has(method);
}

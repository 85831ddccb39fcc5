import type { ProxyFault } from '../proxy/proxy-error.ts';
import type { Side, WireResponse } from './wire.ts';

/** Changes of headers. */
export interface HeaderChanges {
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
}

function toMutation({ set = {}, remove = [] }: HeaderChanges): object {
  return {
    set_headers: Object.entries(set).map(([key, value]) => ({
      header: { key, raw_value: Buffer.from(value, 'latin1') },
      append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
    })),
    remove_headers: remove,
  };
}

/** The answer to headers. */
export function headersReply(side: Side, changes: HeaderChanges, override?: object): WireResponse {
  return {
    [`${side}_headers`]: { response: { header_mutation: toMutation(changes) } },
    ...(override && { mode_override: override }),
  };
}

/** The answer to a part of a body: `bytes` in its place, or the part as it is (null). */
export function bodyReply(
  side: Side,
  bytes: Uint8Array | null,
  changes?: HeaderChanges,
): WireResponse {
  const mutation = bytes && (bytes.length === 0 ? { clear_body: true } : { body: bytes });
  return {
    [`${side}_body`]: {
      response: {
        ...(mutation && { body_mutation: mutation }),
        ...(changes && { header_mutation: toMutation(changes) }),
      },
    },
  };
}

/** What a part of a body is in FULL_DUPLEX_STREAMED, where parts and answers do not correspond. */
export function duplexReply(side: Side, body: Uint8Array, isEnd: boolean): WireResponse {
  const streamed_response = { body, end_of_stream: isEnd };
  return { [`${side}_body`]: { response: { body_mutation: { streamed_response } } } };
}

/** The answer to trailers. */
export function trailersReply(side: Side): WireResponse {
  return { [`${side}_trailers`]: {} };
}

/** An answer that Envoy gives in place of the upstream's. */
export function immediateReply(
  { status, type }: ProxyFault,
  body: object,
  headers: Readonly<Record<string, string>>,
): WireResponse {
  return {
    immediate_response: {
      status: { code: status },
      headers: toMutation({ set: { 'content-type': 'application/json', ...headers } }),
      body: Buffer.from(JSON.stringify(body)),
      details: type,
    },
  };
}

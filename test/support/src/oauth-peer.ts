import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HttpsReceiver, ReceiverReply } from './receiver.ts';
import { startHttpsReceiver } from './receiver.ts';
import type { ReceivedRequest } from './request-log.ts';
import type { TestLifetime } from './temporary-folder.ts';

/**
 * How a peer fails a request: an answer of its own; `hang` never answers, `drop` closes the connection; with `_after`,
 * when the request has taken effect.
 */
export type PeerFailure = ReceiverReply | 'hang' | 'hang_after' | 'drop' | 'drop_after';

/** What a peer does with a request: one of its operations, and its answer. */
export interface PeerOperation {
  /** The name by which {@link OAuthPeer.failNext} knows it. */
  readonly name: string;
  answer(): ReceiverReply;
}

/** The part that peers with OAuth clients share. */
export interface OAuthPeer {
  readonly receiver: HttpsReceiver;
  /** Deviations of requests from what the system documents; empty when every request was right. */
  readonly faults: string[];
  /** The clients that may get tokens, with their secrets. */
  readonly clients: Map<string, string>;
  /** Tokens that are valid. */
  readonly tokens: Set<string>;
  /** Seconds that answers say a token lasts; they last until they are revoked. */
  tokenLifeSeconds: number;
  /** Fails the next requests of the operation in turn. */
  failNext(operation: string, ...failures: PeerFailure[]): void;
  /** Number of requests of the operation so far. */
  count(operation: string): number;
  /** Ends all tokens. */
  revokeTokens(): void;
}

/** What makes a peer: its operations. */
export interface PeerDefinition {
  /** The operation of a request; null for one that the system does not have. */
  operationOf(request: ReceivedRequest, peer: OAuthPeer): PeerOperation | null;
}

/** A JSON answer. */
export function jsonReply(status: number, value: unknown): ReceiverReply {
  const headers = { 'content-type': 'application/json;charset=UTF-8' };
  return { status, headers, body: JSON.stringify(value) };
}

/** Starts a peer on a free port of 127.0.0.1, with TLS. */
export async function startOAuthPeer(
  test: TestLifetime | undefined,
  { operationOf }: PeerDefinition,
): Promise<OAuthPeer> {
  const failures = new Map<string, PeerFailure[]>();
  const counts = new Map<string, number>();
  const handler = (request: ReceivedRequest, response: ServerResponse) => {
    const operation = operationOf(request, peer);
    if (!operation) {
      peer.faults.push(`${request.method} ${request.url} does not exist`);
      return jsonReply(404, { error: { message: 'Not found' } });
    }
    counts.set(operation.name, peer.count(operation.name) + 1);
    const failure = failures.get(operation.name)?.shift();
    if (failure === 'hang_after' || failure === 'drop_after') operation.answer();
    if (failure === 'hang' || failure === 'hang_after') return undefined;
    if (failure === 'drop' || failure === 'drop_after') {
      response.destroy();
      return undefined;
    }
    return failure ?? operation.answer();
  };
  const peer: OAuthPeer = {
    receiver: await startHttpsReceiver({ handler, ...(test ? { test } : {}) }),
    faults: [],
    clients: new Map(),
    tokens: new Set(),
    tokenLifeSeconds: 1_800,
    failNext(operation, ...next) {
      failures.set(operation, [...(failures.get(operation) ?? []), ...next]);
    },
    count: (operation) => counts.get(operation) ?? 0,
    revokeTokens: () => peer.tokens.clear(),
  };
  return peer;
}

/** A token request as RFC 6749, section 4.4.2 has it, with the client's credentials in the body. */
export function tokenFormOf(
  { method, headers, rawBody }: ReceivedRequest,
  { faults }: OAuthPeer,
  names: readonly string[],
): URLSearchParams {
  const form = new URLSearchParams(rawBody.toString());
  const type = headers['content-type'] ?? '';
  if (method !== 'POST') faults.push(`a token is requested with ${method}`);
  if (!/^application\/x-www-form-urlencoded(;charset=UTF-8)?$/.test(type)) {
    faults.push(`a token is requested with the media type ${type}`);
  }
  if (headers.authorization !== undefined) faults.push('credentials in the header and the body');
  const found = [...form.keys()].sort().join();
  if (found !== [...names].sort().join()) faults.push(`a token is requested with ${found}`);
  if (form.get('grant_type') !== 'client_credentials') faults.push('another grant type');
  return form;
}

/** Whether the form has the credentials of a client. */
export function hasClient({ clients }: OAuthPeer, form: URLSearchParams): boolean {
  const secret = clients.get(form.get('client_id') ?? '');
  return secret !== undefined && secret === form.get('client_secret');
}

/** A new valid token. */
export function issueToken({ tokens }: OAuthPeer): string {
  const token = randomBytes(24).toString('base64url');
  tokens.add(token);
  return token;
}

/** Whether a request has a valid token. */
export function isAuthorized({ tokens }: OAuthPeer, { headers }: ReceivedRequest): boolean {
  const [scheme, token = ''] = headers.authorization?.split(' ') ?? [];
  return scheme === 'Bearer' && tokens.has(token);
}

/** The JSON object of a body; faults for another media type or form. */
export function jsonBodyOf(
  { headers, rawBody }: ReceivedRequest,
  { faults }: OAuthPeer,
): Record<string, unknown> {
  const type = headers['content-type'] ?? '';
  if (!/^application\/json(;\s*charset=utf-8)?$/i.test(type)) faults.push(`a body of ${type}`);
  try {
    return JSON.parse(rawBody.toString()) as Record<string, unknown>;
  } catch {
    faults.push('a body that is no JSON');
    return {};
  }
}

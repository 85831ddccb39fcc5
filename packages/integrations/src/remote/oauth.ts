import type { Dialer, DialResult } from '@probity/core';
import { retryAfterOf } from '@probity/core/internal';
import type { AuthorizationServer } from 'oauth4webapi';
import {
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import { kindOf, requireAnswer } from './answer.ts';
import { RemoteFailure, toSafeText } from './failure.ts';

/** An OAuth client at a token endpoint (RFC 6749, section 4.4). */
export interface OAuthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sent when present. */
  readonly scope?: string | undefined;
}

/** An access token. */
export interface AccessToken {
  readonly value: string;
  /** Milliseconds after its issue; null when the server does not say. */
  readonly expiresInMs: number | null;
}

/** Limits and time of one request. */
export interface TokenRequestOptions {
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TOKEN_BYTES = 65_536;
/** Errors of a token endpoint that are not about the client or the request. */
const TRANSIENT_ERRORS: ReadonlySet<string> = new Set(['temporarily_unavailable', 'slow_down']);

/**
 * Requests a token with the credentials of the client in the body, as both ServiceNow and Microsoft take them.
 * @throws RemoteFailure with the endpoint's error in `oauthError` when it refuses the client
 */
export async function requestToken(
  dialer: Dialer,
  client: OAuthClient,
  options: TokenRequestOptions,
): Promise<AccessToken> {
  const { tokenUrl, clientId, clientSecret, scope } = client;
  const server: AuthorizationServer = { issuer: tokenUrl, token_endpoint: tokenUrl };
  const parties = [server, { client_id: clientId }] as const;
  let received: DialResult | undefined;
  try {
    const response = await clientCredentialsGrantRequest(
      ...parties,
      ClientSecretPost(clientSecret),
      scope === undefined ? {} : { scope },
      {
        [customFetch]: async (url, { headers, body }) => {
          received = await dialer.request({
            ...{ url, method: 'POST', headers: { ...headers }, body: String(body) },
            ...{ timeoutMs: options.timeoutMs, maxResponseBytes: MAX_TOKEN_BYTES },
            ...(options.signal ? { signal: options.signal } : {}),
          });
          return toResponse(received, clientSecret);
        },
      },
    );
    const granted = await processClientCredentialsResponse(...parties, response);
    const { access_token: value, expires_in: seconds } = granted;
    return { value, expiresInMs: seconds === undefined ? null : seconds * 1_000 };
  } catch (error) {
    throw toFailure(error, received, client, options.now());
  }
}

function toResponse(result: DialResult, secret: string): Response {
  requireAnswer(result, { isRepeatable: true, secret });
  const headers = new Headers();
  const type = result.headers['content-type'];
  if (type !== undefined) headers.set('content-type', type);
  const hasBody = result.status !== 204 && result.status !== 304;
  return new Response(hasBody ? new Uint8Array(result.body) : null, {
    status: result.status,
    headers,
  });
}

function toFailure(
  error: unknown,
  result: DialResult | undefined,
  { clientSecret }: OAuthClient,
  now: Date,
): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (result?.kind !== 'response') throw error;
  const { status } = result;
  const retryAfterMs = retryAfterOf(result, now);
  const kind = kindOf(status, result.headers['retry-after'] !== undefined);
  if (error instanceof ResponseBodyError && kind !== 'limited') {
    const { error: oauthError, error_description: description = '' } = error;
    const text = toSafeText([oauthError, description].filter(Boolean).join(': '), clientSecret);
    const message = `The token endpoint answered ${status} (${text})`;
    const isTransient = status >= 500 || TRANSIENT_ERRORS.has(oauthError);
    const facts = { status, retryAfterMs, oauthError, cause: error };
    return new RemoteFailure(isTransient ? 'unanswered' : 'refused', message, facts);
  }
  const message = `The token endpoint answered ${status} without a token`;
  // Any other 4xx is that of a server which has no such endpoint.
  const isRefusal = kind === 'rejected' || kind === 'refused';
  return new RemoteFailure(isRefusal ? 'refused' : kind, message, { status, retryAfterMs });
}

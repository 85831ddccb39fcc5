import type { IncomingHttpHeaders } from 'node:http';
import type { CallContext } from '@probity/core';
import type { Reply, ReplyFunction } from '@probity/core/koa';
import { COOKIES, readCookie, requireCsrfToken, secretText, toSetCookie } from '@probity/core/koa';
import { z } from 'zod';
import { memberSchema, toMemberWire } from '../../members/http/members.ts';
import type { SignInCall } from '../attempts.ts';
import type { SignedIn } from '../login.ts';
import type { Account } from '../types.ts';
import { ACCESS_TOKEN_SECONDS } from '../types.ts';

/**
 * Options shared by all sign-in endpoints: they stay available when the API request quota is spent,
 * and refuse API keys, whose finder must not become the person.
 */
export const authShared = {
  tag: 'Signing in',
  rateLimit: 'platform',
  callers: 'people',
  allowedOverQuota: true,
} as const;

/** The organization fields that are shown at sign-in. */
export const organizationBrief = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
  })
  .meta({ id: 'OrganizationBrief' });

/** The body of a successful sign-in; the refresh token is sent in a cookie only. */
const signedInSchema = z
  .strictObject({
    access_token: secretText().describe('JWT for the header Authorization: Bearer.'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().nonnegative().describe('Seconds until the access token expires.'),
    csrf_token: secretText().describe(
      'Value of the header X-CSRF-Token for requests authenticated by cookie.',
    ),
    member: memberSchema,
    organization: organizationBrief,
  })
  .meta({ id: 'SignedIn' });

/** The responses of an endpoint that signs in. */
export const signedInResponses = {
  200: { description: 'The session', schema: signedInSchema },
} as const;

/** The responses of an endpoint that signs out. */
export const signedOutResponses = { 204: { description: 'The session has ended' } } as const;

/** Schema of a password in a request; services check the rules for new ones. */
export const passwordField = z.string().max(4_096, 'must have at most 4096 characters');

/** Schema of a one-time password or a recovery code. */
export const otpField = z
  .string()
  .min(1, 'must not be empty')
  .max(64, 'must have at most 64 characters');

/** Replies 200 with the tokens of a session, in the body and in cookies. */
export function replySignedIn(
  reply: ReplyFunction<typeof signedInResponses>,
  signedIn: SignedIn,
): Reply {
  const { session, member, organization, accessToken, refreshToken, csrfToken } = signedIn;
  const lifetimeMs = session.expiresAt.getTime() - session.lastUsed.getTime();
  const maxAgeSeconds = Math.floor(lifetimeMs / 1_000);
  const cookies = [
    toSetCookie(COOKIES.access, accessToken, { maxAgeSeconds: ACCESS_TOKEN_SECONDS }),
    toSetCookie(COOKIES.refresh, refreshToken, { maxAgeSeconds }),
    toSetCookie(COOKIES.csrf, csrfToken, { maxAgeSeconds, isReadable: true }),
  ];
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    csrf_token: csrfToken,
    member: toMemberWire(member),
    organization: toBrief(organization),
  } as const;
  return reply(200, body, { cookies });
}

/** Replies 204 and removes the cookies of a session. */
export function replySignedOut(reply: ReplyFunction<typeof signedOutResponses>): Reply {
  const names = Object.values(COOKIES);
  const cookies = names.map((name) => toSetCookie(name, '', { maxAgeSeconds: 0 }));
  return reply(204, undefined, { cookies });
}

/** The origin of the request, for the sign-in services. */
export function toCall({ requestId, address }: CallContext): SignInCall {
  return { requestId, address };
}

/** Converts an organization to its brief form. */
export function toBrief({ id, name, slug }: Account['organization']) {
  return { id, name, slug };
}

/** Reads the session cookies of a request and provides its CSRF check. */
export function sessionCookies(headers: IncomingHttpHeaders) {
  return {
    refresh: readCookie(headers.cookie, COOKIES.refresh),
    access: readCookie(headers.cookie, COOKIES.access),
    confirm: ({ csrfToken }: { readonly csrfToken: string }) =>
      requireCsrfToken(headers, csrfToken),
  };
}

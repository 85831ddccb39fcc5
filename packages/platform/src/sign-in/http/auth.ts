import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import {
  credentialOf,
  endpoint,
  pageInfo,
  pageQuery,
  secretText,
  timestamp,
} from '@probity/core/koa';
import { z } from 'zod';
import { memberSchema, toMemberWire } from '../../members/http/members.ts';
import type { SignIn } from '../sign-in.ts';
import type { SignInSession } from '../types.ts';
import { mfaEndpoints } from './mfa.ts';
import { passwordEndpoints } from './passwords.ts';
import {
  authShared,
  organizationBrief,
  otpField,
  passwordField,
  replySignedIn,
  replySignedOut,
  sessionCookies,
  signedInResponses,
  signedOutResponses,
  toBrief,
  toCall,
} from './replies.ts';

const credentials = z
  .strictObject({
    email: z.string().max(254, 'must have at most 254 characters'),
    password: passwordField,
    otp: otpField
      .nullish()
      .describe('One-time password or recovery code; required when the second factor is enabled.'),
    organization_id: z
      .string()
      .max(100, 'must have at most 100 characters')
      .nullish()
      .describe(
        'Required when the e-mail address and password match in several organizations. Without it the ' +
          'two accounts of the e-mail address that signed in last are tried.',
      ),
  })
  .meta({ id: 'SignInCredentials' });

const current = z
  .strictObject({
    member: memberSchema,
    organization: organizationBrief,
    csrf_token: secretText(),
    expires_at: timestamp.describe('When the session ends.'),
  })
  .meta({ id: 'CurrentSession' });

const session = z
  .strictObject({
    id: z.string(),
    created_at: timestamp,
    last_used: timestamp.describe('Accurate to 15 minutes.'),
    expires_at: timestamp,
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });

/** Endpoints for sign-in: sessions, passwords and second factors. */
export function authEndpoints(signIn: SignIn): Endpoint[] {
  return [
    logIn(signIn),
    refresh(signIn),
    logOut(signIn),
    getCurrent(signIn),
    listSessions(signIn),
    endSession(signIn),
    ...passwordEndpoints(signIn),
    ...mfaEndpoints(signIn),
  ];
}

function logIn(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'POST',
    path: '/auth/login',
    operationId: 'logIn',
    summary: 'Sign in with e-mail and password',
    description:
      'Returns an access token valid for 15 minutes and sets the cookies of a session of 30 days. Ten ' +
      'failed attempts lock the e-mail address for 15 minutes (429 with Retry-After). An address outside ' +
      "the organization's IP allowlist is answered like a wrong password (401).",
    permission: 'public',
    body: credentials,
    responses: signedInResponses,
    errors: ['unauthorized', 'rate_limited'],
    async handler({ context, body, headers, reply }) {
      const signedIn = await signIn.login(toCall(context), {
        email: body.email,
        password: body.password,
        otp: body.otp ?? undefined,
        organizationId: body.organization_id ?? undefined,
        userAgent: headers['user-agent'] ?? null,
      });
      return replySignedIn(reply, signedIn);
    },
  });
}

function refresh(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'POST',
    path: '/auth/refresh',
    operationId: 'refreshSession',
    summary: 'Renew the tokens of the session',
    description:
      'Needs the refresh cookie and the header X-CSRF-Token. Each refresh token works once. Reuse ' +
      'within ten seconds of the renewal returns 409 and changes nothing; later reuse ends the session.',
    permission: 'public',
    responses: signedInResponses,
    errors: ['unauthorized', 'forbidden', 'conflict'],
    async handler({ context, headers, reply }) {
      const { refresh: token, confirm } = sessionCookies(headers);
      const signedIn = await signIn.sessions.refresh(toCall(context), token, confirm);
      return replySignedIn(reply, signedIn);
    },
  });
}

function logOut(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'POST',
    path: '/auth/logout',
    operationId: 'logOut',
    summary: 'End the session and remove its cookies',
    description:
      'Needs the access token, which may be expired, or the session cookies with X-CSRF-Token. A ' +
      'session that has already ended is not an error.',
    permission: 'public',
    responses: signedOutResponses,
    errors: ['forbidden'],
    async handler({ context, headers, reply }) {
      const { refresh: token, access, confirm } = sessionCookies(headers);
      const given = credentialOf(headers);
      const bearer = given?.source === 'authorization' ? given.token : undefined;
      const tokens = { bearer, refresh: token, access };
      await signIn.sessions.logout(toCall(context), tokens, confirm);
      return replySignedOut(reply);
    },
  });
}

function getCurrent(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'GET',
    path: '/auth/session',
    operationId: 'getSession',
    summary: 'Get the authenticated member and session',
    description: 'Returns the member and the organization of the session. API keys are refused.',
    permission: 'session:read',
    responses: { 200: { description: 'The authenticated member and session', schema: current } },
    errors: ['not_found'],
    async handler({ context, reply }) {
      const { account, session: own, csrfToken } = await signIn.sessions.current(context);
      const body = {
        member: toMemberWire(account.member),
        organization: toBrief(account.organization),
        csrf_token: csrfToken,
        expires_at: own.expiresAt.toISOString(),
      };
      return reply(200, body);
    },
  });
}

function listSessions(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'GET',
    path: '/auth/sessions',
    operationId: 'listSessions',
    summary: 'List your own sessions, newest first',
    description: 'Lists the sessions of the calling member that have not ended.',
    permission: 'session:read',
    query: pageQuery,
    responses: {
      200: {
        description: 'A page of sessions',
        schema: z.strictObject({ sessions: z.array(session), ...pageInfo }),
      },
    },
    async handler({ context, query, reply }) {
      const { items, total } = await signIn.sessions.list(context, query);
      const sessions = items.map((item) => toWire(item, context.principal.sessionId));
      return reply(200, { sessions, ...toPageInfo(query, total) });
    },
  });
}

function endSession(signIn: SignIn): Endpoint {
  return endpoint({
    ...authShared,
    method: 'DELETE',
    path: '/auth/sessions/{session_id}',
    operationId: 'endSession',
    summary: 'End one of your own sessions',
    description:
      'The tokens of the session are refused from now on. The current session can be ended too.',
    permission: 'session:write',
    params: z.strictObject({ session_id: z.string() }),
    responses: { 204: { description: 'The session has ended' } },
    async handler({ context, params, reply }) {
      await signIn.sessions.end(context, params.session_id);
      return reply(204);
    },
  });
}

function toWire(item: SignInSession, currentId: string | undefined): z.infer<typeof session> {
  return {
    id: item.id,
    created_at: item.createdAt.toISOString(),
    last_used: item.lastUsed.toISOString(),
    expires_at: item.expiresAt.toISOString(),
    address: item.address,
    user_agent: item.userAgent,
    is_current: item.id === currentId,
  };
}

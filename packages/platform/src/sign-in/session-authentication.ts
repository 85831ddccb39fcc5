import type { Clock, Runtime, Storage } from '@probity/core';
import type { AuthenticateToken, ConfirmToken, RolePrincipal } from '@probity/core/internal';
import { requireSecretBox } from '@probity/core/internal';
import type { ApiKeyAuthenticationOptions } from '../credentials/authentication.ts';
import {
  createApiKeyAuthentication,
  createApiKeyConfirmation,
} from '../credentials/authentication.ts';
import type { ApiKeyReads, ApiKeyWrites } from '../credentials/storage.ts';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import { createSessionTokens } from './session-tokens.ts';
import type { SessionReads, SessionWrites } from './storage.ts';
import type { SessionIdentity } from './types.ts';

/**
 * Authenticates the access tokens of signed-in members. The session and its member are read on
 * every request: once the session has ended, or the member is suspended or removed, its tokens are
 * refused on every instance; the role is the member's present one. As for API keys, addresses
 * outside the organization's allowlist are refused.
 */
export function createSessionAuthentication(
  runtime: Runtime,
  { storage }: { readonly storage: SessionReads },
): AuthenticateToken {
  const { clock, random } = runtime;
  const secretBox = requireSecretBox(runtime, 'Authentication of sessions');
  const tokens = createSessionTokens({ secretBox, clock, random });
  const allowlists = createIpAllowlists();
  return async ({ token, address }) => {
    if (token === null) return null;
    const claims = await tokens.readAccess(token);
    const identity = claims && (await storage.identifySession(claims.sessionId));
    const principal = identity && toSessionPrincipal(identity, claims, clock);
    if (!principal) return null;
    allowlists.require(identity.ipAllowlist, address);
    const { sessionId: id, familyHash } = identity;
    return { ...principal, session: tokens.proofOf({ id, familyHash }) };
  };
}

/** The caller, unless the session has ended, or its member is not active. */
export function toSessionPrincipal(
  identity: SessionIdentity,
  claims: Pick<SessionIdentity, 'memberId' | 'organizationId'>,
  clock: Clock,
): RolePrincipal | null {
  const { organizationId, memberId, sessionId, memberRole: role, plan } = identity;
  if (memberId !== claims.memberId || organizationId !== claims.organizationId) return null;
  if (identity.memberStatus !== 'active' || identity.expiresAt <= clock.now()) return null;
  return { organizationId, memberId, keyId: sessionId, sessionId, role, plan };
}

/** Dependencies of member authentication. */
export interface MemberAuthenticationOptions extends ApiKeyAuthenticationOptions {
  readonly storage: ApiKeyReads & SessionReads;
}

/** Authenticates members by API key or by the access token of a session. */
export function createMemberAuthentication(
  runtime: Runtime,
  options: MemberAuthenticationOptions,
): AuthenticateToken {
  const byApiKey = createApiKeyAuthentication(runtime, options);
  const bySession = createSessionAuthentication(runtime, options);
  return (presented) =>
    presented.token?.startsWith('pbk_') ? byApiKey(presented) : bySession(presented);
}

/** Storage of the credentials that are confirmed. */
interface ConfirmationOptions {
  readonly storage: Storage<ApiKeyReads & SessionReads, ApiKeyWrites & SessionWrites>;
}

/** Identifies members again, in the transactions of their writes; see {@link ConfirmToken}. */
export function createMemberConfirmation(
  runtime: Runtime,
  { storage }: ConfirmationOptions,
): ConfirmToken {
  const { clock, random } = runtime;
  const secretBox = requireSecretBox(runtime, 'Authentication of sessions');
  const tokens = createSessionTokens({ secretBox, clock, random });
  const byApiKey = createApiKeyConfirmation(runtime, { storage });
  return async (token, session) => {
    if (token.startsWith('pbk_')) return byApiKey(token, session);
    const claims = await tokens.readAccess(token);
    if (!claims) return null;
    return storage.transaction({ session }, async (tx) => {
      const identity = await tx.identifySession(claims.sessionId, true);
      return identity && toSessionPrincipal(identity, claims, clock);
    });
  };
}

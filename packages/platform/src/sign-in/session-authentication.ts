import type { Runtime } from '@probity/core';
import type { AuthenticateToken } from '@probity/core/internal';
import { requireSecretBox } from '@probity/core/internal';
import type { ApiKeyAuthenticationOptions } from '../credentials/authentication.ts';
import { createApiKeyAuthentication } from '../credentials/authentication.ts';
import type { ApiKeyReads } from '../credentials/storage.ts';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import { createSessionTokens } from './session-tokens.ts';
import type { SessionReads } from './storage.ts';

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
    if (!identity || identity.memberId !== claims.memberId) return null;
    if (identity.organizationId !== claims.organizationId) return null;
    if (identity.memberStatus !== 'active' || identity.expiresAt <= clock.now()) return null;
    allowlists.require(identity.ipAllowlist, address);
    const { organizationId, memberId, sessionId, memberRole: role, plan } = identity;
    const session = tokens.proofOf({ id: sessionId, familyHash: identity.familyHash });
    return { organizationId, memberId, keyId: sessionId, sessionId, role, plan, session };
  };
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

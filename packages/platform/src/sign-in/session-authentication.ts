import type { Authenticate, Clock, SecretBox } from '@probity/core';
import { systemRandom } from '@probity/core';
import type { AuthenticationDependencies } from '../credentials/authentication.ts';
import { createApiKeyAuthentication } from '../credentials/authentication.ts';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import { createSessionTokens } from './session-tokens.ts';
import type { SignInStorage } from './storage.ts';

/** What authentication of sessions needs. */
export interface SessionAuthenticationDependencies {
  readonly signInStorage: SignInStorage;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

/**
 * Authenticates the access tokens of people who signed in. The session and its member are read at
 * every request: once it has ended, or the member is suspended or removed, its tokens are worth
 * nothing, on every instance; the role is the member's present one. As for API keys, addresses that
 * are not on the organization's allowlist are refused.
 */
export function createSessionAuthentication({
  signInStorage,
  secretBox,
  clock,
}: SessionAuthenticationDependencies): Authenticate {
  const tokens = createSessionTokens({ secretBox, clock, random: systemRandom });
  const allowlists = createIpAllowlists();
  return async (token, { address }) => {
    const claims = await tokens.readAccess(token);
    const identity = claims && (await signInStorage.identifySession(claims.sessionId));
    if (!identity || identity.memberId !== claims.memberId) return null;
    if (identity.organizationId !== claims.organizationId) return null;
    if (identity.memberStatus !== 'active' || identity.expiresAt <= clock.now()) return null;
    allowlists.require(identity.ipAllowlist, address);
    const { organizationId, memberId, sessionId, memberRole: role, plan } = identity;
    const session = tokens.proofOf({ id: sessionId, familyHash: identity.familyHash });
    return { organizationId, memberId, keyId: sessionId, sessionId, role, plan, session };
  };
}

/** Authenticates members: API keys, and the access tokens of those who signed in. */
export function createMemberAuthentication(
  dependencies: AuthenticationDependencies & SessionAuthenticationDependencies,
): Authenticate {
  const byApiKey = createApiKeyAuthentication(dependencies);
  const bySession = createSessionAuthentication(dependencies);
  return (token, origin) =>
    token.startsWith('pbk_') ? byApiKey(token, origin) : bySession(token, origin);
}

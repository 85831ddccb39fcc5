import { hashSecret } from '../secrets.ts';
import { isWellFormedToken } from '../tokens.ts';
import type { Authenticate, AuthenticationDependencies } from './authentication.ts';
import { createIpAllowlists } from './ip-allowlist.ts';

/**
 * Authenticates SCIM tokens as {@link createApiKeyAuthentication} does API keys. No member stands
 * behind such a token: it acts under its own id with the role admin, so that an identity provider
 * can manage members and make no owners. It is good for the SCIM interface only, and no API key is.
 */
export function createScimAuthentication({
  storage,
  clock,
  usage,
}: AuthenticationDependencies): Authenticate {
  const allowlists = createIpAllowlists();
  return async (token, { address }) => {
    if (!isWellFormedToken('psc_', token)) return null;
    const identity = await storage.identifyScimToken(hashSecret(token));
    if (!identity || identity.revokedAt) return null;
    if (identity.expiresAt && identity.expiresAt <= clock.now()) return null;
    allowlists.require(identity.ipAllowlist, address);
    usage?.record(identity.tokenId);
    return {
      organizationId: identity.organizationId,
      memberId: identity.tokenId,
      keyId: identity.tokenId,
      role: 'admin',
      plan: identity.plan,
    };
  };
}

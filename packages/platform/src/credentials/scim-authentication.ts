import type { Authenticate } from '@probity/core';
import type { AuthenticationDependencies } from './authentication.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/**
 * Authenticates SCIM tokens; see {@link createTokenAuthentication}. No member stands behind such a
 * token: it acts under its own id with the role admin, so that an identity provider can manage
 * members and make no owners. It is good for the SCIM interface only, and no API key is.
 */
export function createScimAuthentication({
  storage,
  clock,
  usage,
}: AuthenticationDependencies): Authenticate {
  return createTokenAuthentication({
    prefix: 'psc_',
    clock,
    usage,
    identify: (tokenHash) => storage.identifyScimToken(tokenHash),
    toPrincipal: ({ organizationId, tokenId, plan }) => ({
      organizationId,
      memberId: tokenId,
      keyId: tokenId,
      role: 'admin',
      plan,
    }),
  });
}

import type { Authenticate, Runtime } from '@probity/core';
import type { CredentialUsage } from './credential-usage.ts';
import type { ScimTokenReads } from './storage.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/** What authentication of SCIM tokens needs. */
export interface ScimAuthenticationOptions {
  readonly storage: ScimTokenReads;
  /** Notes every use; see `createScimTokenUsage`. */
  readonly usage?: CredentialUsage | undefined;
}

/**
 * Authenticates SCIM tokens; see {@link createTokenAuthentication}. No member stands behind such a
 * token: it acts under its own id with the role admin, so that an identity provider can manage
 * members and make no owners. It is good for the SCIM interface only, and no API key is.
 */
export function createScimAuthentication(
  { clock }: Runtime,
  { storage, usage }: ScimAuthenticationOptions,
): Authenticate {
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

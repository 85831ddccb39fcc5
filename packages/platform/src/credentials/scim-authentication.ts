import type { Runtime } from '@probity/core';
import type { AuthenticateToken } from '@probity/core/internal';
import type { CredentialUsage } from './credential-usage.ts';
import type { ScimTokenReads } from './storage.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/** Dependencies of SCIM token authentication. */
export interface ScimAuthenticationOptions {
  readonly storage: ScimTokenReads;
  /** Records every use; see `createScimTokenUsage`. */
  readonly usage?: CredentialUsage | undefined;
}

/**
 * Authenticates SCIM tokens; see {@link createTokenAuthentication}. Such a token belongs to no
 * member: it acts under its own id with the role admin, so that an identity provider can manage
 * members but create no owners. It is valid for the SCIM API only, where no API key is.
 */
export function createScimAuthentication(
  { clock }: Runtime,
  { storage, usage }: ScimAuthenticationOptions,
): AuthenticateToken {
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

import type { Runtime } from '@probity/core';
import type { AuthenticateToken } from '@probity/core/internal';
import { weakerRole } from '@probity/core/internal';
import type { CredentialUsage } from './credential-usage.ts';
import type { ApiKeyReads } from './storage.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/** Dependencies of API key authentication. */
export interface ApiKeyAuthenticationOptions {
  readonly storage: ApiKeyReads;
  /** Records every use; see {@link createApiKeyUsage}. */
  readonly usage?: CredentialUsage | undefined;
}

/**
 * Authenticates API keys; see {@link createTokenAuthentication}. A key never has more rights than
 * its member's present role, and none while the member is not active.
 */
export function createApiKeyAuthentication(
  { clock }: Runtime,
  { storage, usage }: ApiKeyAuthenticationOptions,
): AuthenticateToken {
  return createTokenAuthentication({
    prefix: 'pbk_',
    clock,
    usage,
    identify: (tokenHash) => storage.identifyApiKey(tokenHash),
    toPrincipal({ organizationId, memberId, keyId, keyRole, memberRole, memberStatus, plan }) {
      if (memberStatus !== 'active') return null;
      return { organizationId, memberId, keyId, role: weakerRole(keyRole, memberRole), plan };
    },
  });
}

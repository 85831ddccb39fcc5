import type { Authenticate, Clock } from '@probity/core';
import { weakerRole } from '@probity/core/internal';
import type { PlatformStorage } from '../organizations/storage.ts';
import type { CredentialUsage } from './credential-usage.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/** What authentication needs. */
export interface AuthenticationDependencies {
  readonly storage: PlatformStorage;
  readonly clock: Clock;
  /** Told of every use; see {@link createApiKeyUsage}. */
  readonly usage?: CredentialUsage;
}

/**
 * Authenticates API keys; see {@link createTokenAuthentication}. A key has never more than its
 * member's present role, and nothing while the member is not active.
 */
export function createApiKeyAuthentication({
  storage,
  clock,
  usage,
}: AuthenticationDependencies): Authenticate {
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

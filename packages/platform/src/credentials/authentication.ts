import type { Runtime, Storage } from '@probity/core';
import type { AuthenticateToken, ConfirmToken, RolePrincipal } from '@probity/core/internal';
import { hashSecret, weakerRole } from '@probity/core/internal';
import type { CredentialUsage } from './credential-usage.ts';
import type { ApiKeyReads, ApiKeyWrites } from './storage.ts';
import { createTokenAuthentication, isInForce } from './token-authentication.ts';
import type { ApiKeyIdentity } from './types.ts';

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
    toPrincipal: toKeyPrincipal,
  });
}

/** Identifies the member of an API key again; see {@link ConfirmToken}. */
export function createApiKeyConfirmation(
  { clock }: Runtime,
  { storage }: { readonly storage: Storage<ApiKeyReads, ApiKeyWrites> },
): ConfirmToken {
  return (token, session) =>
    storage.transaction({ session }, async (tx) => {
      const identity = await tx.identifyApiKey(hashSecret(token), true);
      return identity && isInForce(identity, clock) ? toKeyPrincipal(identity) : null;
    });
}

/** The member of the key with the rights that the key has; null while the member is not active. */
export function toKeyPrincipal(identity: ApiKeyIdentity): RolePrincipal | null {
  const { organizationId, memberId, keyId, keyRole, memberRole, memberStatus, plan } = identity;
  if (memberStatus !== 'active') return null;
  return { organizationId, memberId, keyId, role: weakerRole(keyRole, memberRole), plan };
}

import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { weakerRole } from '../permissions.ts';
import { hashSecret } from '../secrets.ts';
import { isWellFormedToken } from '../tokens.ts';
import type { ApiKeyUsage } from './api-key-usage.ts';
import type { PlatformStorage } from './storage.ts';

/**
 * Who a bearer token belongs to, or null when it is no valid credential. A host with users of its
 * own gives its own function.
 */
export type Authenticate = (token: string) => Promise<Principal | null>;

/** What authentication needs. */
export interface AuthenticationDependencies {
  readonly storage: PlatformStorage;
  readonly clock: Clock;
  /** Told of every use; see {@link createApiKeyUsage}. */
  readonly usage?: ApiKeyUsage;
}

/**
 * Authenticates API keys. A token with a wrong checksum is refused without a look-up; every other
 * is looked up by its hash at every request, so that a revocation holds from then on on every
 * instance. A key has never more than its member's present role.
 */
export function createApiKeyAuthentication({
  storage,
  clock,
  usage,
}: AuthenticationDependencies): Authenticate {
  return async (token) => {
    if (!isWellFormedToken('pbk_', token)) return null;
    const identity = await storage.identifyApiKey(hashSecret(token));
    if (!identity || identity.revokedAt || identity.memberStatus !== 'active') return null;
    if (identity.expiresAt && identity.expiresAt <= clock.now()) return null;
    usage?.record(identity.keyId);
    return {
      organizationId: identity.organizationId,
      memberId: identity.memberId,
      keyId: identity.keyId,
      role: weakerRole(identity.keyRole, identity.memberRole),
      plan: identity.plan,
    };
  };
}

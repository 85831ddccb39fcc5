import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { weakerRole } from '../permissions.ts';
import { hashSecret } from '../secrets.ts';
import { isWellFormedToken } from '../tokens.ts';
import type { CredentialUsage } from './credential-usage.ts';
import { createIpAllowlists } from './ip-allowlist.ts';
import type { PlatformStorage } from './storage.ts';

/** Where a credential comes from. */
export interface CredentialOrigin {
  /** The client's address as the trusted proxies tell it; null where there is none. */
  readonly address: string | null;
}

/**
 * Who a bearer token belongs to, or null when it is no valid credential. It throws a ProbityError
 * `forbidden` for a valid one that must not be used from its origin. A host with users of its own
 * gives its own function.
 */
export type Authenticate = (token: string, origin: CredentialOrigin) => Promise<Principal | null>;

/** What authentication needs. */
export interface AuthenticationDependencies {
  readonly storage: PlatformStorage;
  readonly clock: Clock;
  /** Told of every use; see {@link createApiKeyUsage}. */
  readonly usage?: CredentialUsage;
}

/**
 * Authenticates API keys. A token with a wrong checksum is refused without a look-up; every other
 * is looked up by its hash at every request, so that a revocation holds from then on on every
 * instance. A key has never more than its member's present role, and is refused from addresses that
 * are not on its organization's IP allowlist.
 */
export function createApiKeyAuthentication({
  storage,
  clock,
  usage,
}: AuthenticationDependencies): Authenticate {
  const allowlists = createIpAllowlists();
  return async (token, { address }) => {
    if (!isWellFormedToken('pbk_', token)) return null;
    const identity = await storage.identifyApiKey(hashSecret(token));
    if (!identity || identity.revokedAt || identity.memberStatus !== 'active') return null;
    if (identity.expiresAt && identity.expiresAt <= clock.now()) return null;
    allowlists.require(identity.ipAllowlist, address);
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

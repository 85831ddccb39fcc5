import type { Authenticate, Clock, Principal } from '@probity/core';
import type { TokenPrefix } from '@probity/core/internal';
import { hashSecret, isWellFormedToken } from '@probity/core/internal';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import type { CredentialUsage } from './credential-usage.ts';

/** What decides whether a token that was found is good now. */
export interface TokenIdentity {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The organization's IP allowlist as it is stored. */
  readonly ipAllowlist: string;
}

/** How one kind of token is looked up, and whom it stands for. */
export interface TokenAuthenticationOptions<Identity extends TokenIdentity> {
  readonly prefix: TokenPrefix;
  readonly clock: Clock;
  readonly usage?: CredentialUsage | undefined;
  identify(tokenHash: string): Promise<Identity | null>;
  /** Null when whoever stands behind the token may do nothing. */
  toPrincipal(identity: Identity): Principal | null;
}

/**
 * Authenticates tokens of one kind. A wrong checksum is refused without a look-up; every other token
 * is looked up by its hash at every request, so that a revocation holds from then on on every
 * instance. A good token is refused from addresses that are not on its organization's allowlist.
 */
export function createTokenAuthentication<Identity extends TokenIdentity>({
  prefix,
  clock,
  usage,
  identify,
  toPrincipal,
}: TokenAuthenticationOptions<Identity>): Authenticate {
  const allowlists = createIpAllowlists();
  return async (token, { address }) => {
    if (!isWellFormedToken(prefix, token)) return null;
    const identity = await identify(hashSecret(token));
    if (!identity || identity.revokedAt) return null;
    if (identity.expiresAt && identity.expiresAt <= clock.now()) return null;
    const principal = toPrincipal(identity);
    if (!principal) return null;
    allowlists.require(identity.ipAllowlist, address);
    usage?.record(principal.keyId);
    return principal;
  };
}

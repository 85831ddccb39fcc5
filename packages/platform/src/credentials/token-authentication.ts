import type { Clock, Principal } from '@probity/core';
import type { AuthenticateToken, TokenPrefix } from '@probity/core/internal';
import { hashSecret, isWellFormedToken } from '@probity/core/internal';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import type { CredentialUsage } from './credential-usage.ts';

/** Present authorization state of a token. */
export interface TokenIdentity {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The organization's stored IP allowlist, as JSON text. */
  readonly ipAllowlist: string;
}

/** Whether a token is neither revoked nor expired. */
export function isInForce({ revokedAt, expiresAt }: TokenIdentity, clock: Clock): boolean {
  return !revokedAt && (!expiresAt || expiresAt > clock.now());
}

/** How tokens of one kind are looked up and mapped to a principal. */
export interface TokenAuthenticationOptions<Identity extends TokenIdentity> {
  readonly prefix: TokenPrefix;
  readonly clock: Clock;
  readonly usage?: CredentialUsage | undefined;
  identify(tokenHash: string): Promise<Identity | null>;
  /** Null when the token's owner has no access. */
  toPrincipal(identity: Identity): Principal | null;
}

/**
 * Authenticates tokens of one kind. A wrong checksum is refused without a lookup; every other token
 * is looked up by its hash on every request, so that a revocation takes effect at once on every
 * instance. A valid token is refused from addresses outside its organization's allowlist.
 */
export function createTokenAuthentication<Identity extends TokenIdentity>({
  prefix,
  clock,
  usage,
  identify,
  toPrincipal,
}: TokenAuthenticationOptions<Identity>): AuthenticateToken {
  const allowlists = createIpAllowlists();
  return async ({ token, address }) => {
    if (token === null || !isWellFormedToken(prefix, token)) return null;
    const identity = await identify(hashSecret(token));
    if (!identity || !isInForce(identity, clock)) return null;
    const principal = toPrincipal(identity);
    if (!principal) return null;
    allowlists.require(identity.ipAllowlist, address);
    usage?.record(principal.keyId);
    return principal;
  };
}

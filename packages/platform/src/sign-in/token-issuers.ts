import type { Clock, Runtime, Storage } from '@probity/core';
import type { RolePrincipal, TokenIssuer, TokenIssuers } from '@probity/core/internal';
import { toKeyPrincipal } from '../credentials/authentication.ts';
import type { ApiKeyReads, ApiKeyWrites } from '../credentials/storage.ts';
import { isInForce } from '../credentials/token-authentication.ts';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import { toSessionPrincipal } from './session-authentication.ts';
import type { SessionReads, SessionWrites } from './storage.ts';

type IssuerReads = ApiKeyReads & SessionReads;

/** Storage of the credentials of issuers. */
interface TokenIssuerOptions {
  readonly storage: Storage<IssuerReads, ApiKeyWrites & SessionWrites>;
}

/**
 * The API keys and sessions that issue tokens of limited scope: such a token ends with its key or
 * session, has at most the present role of the member, and is refused from addresses outside the
 * organization's allowlist.
 */
export function createTokenIssuers(
  { clock }: Runtime,
  { storage }: TokenIssuerOptions,
): TokenIssuers {
  const allowlists = createIpAllowlists();
  return {
    async identify(issuer, address) {
      const found = await identify(storage, issuer, clock, false);
      if (!found) return null;
      allowlists.require(found.ipAllowlist, address);
      return found.principal;
    },
    confirm: (issuer, session) =>
      storage.transaction({ session }, async (tx) => {
        const found = await identify(tx, issuer, clock, true);
        return found?.principal ?? null;
      }),
  };
}

interface IdentifiedIssuer {
  readonly principal: RolePrincipal;
  /** The organization's stored IP allowlist, as JSON text. */
  readonly ipAllowlist: string;
}

async function identify(
  reads: IssuerReads,
  { organizationId, memberId, keyId, sessionId }: TokenIssuer,
  clock: Clock,
  isHeld: boolean,
): Promise<IdentifiedIssuer | null> {
  if (sessionId !== undefined) {
    const identity = await reads.identifySession(sessionId, isHeld);
    const principal = identity && toSessionPrincipal(identity, { organizationId, memberId }, clock);
    return principal && { principal, ipAllowlist: identity.ipAllowlist };
  }
  const identity = await reads.identifyApiKeyById(keyId, isHeld);
  if (!identity || !isInForce(identity, clock)) return null;
  if (identity.organizationId !== organizationId || identity.memberId !== memberId) return null;
  const principal = toKeyPrincipal(identity);
  return principal && { principal, ipAllowlist: identity.ipAllowlist };
}

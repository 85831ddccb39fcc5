import type { Principal, Runtime, Storage } from '@probity/core';
import type { AuthenticateToken, ConfirmToken } from '@probity/core/internal';
import { hashSecret, isWellFormedToken, requireSecretBox } from '@probity/core/internal';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import type { CredentialUsage } from './credential-usage.ts';
import type { ScimAccessTokens } from './scim-access-tokens.ts';
import { createScimAccessTokens, SCIM_ACCESS_TOKEN_SECONDS } from './scim-access-tokens.ts';
import type { ScimTokenReads, ScimTokenWrites } from './storage.ts';
import { isInForce } from './token-authentication.ts';
import type { ScimTokenIdentity } from './types.ts';

/** Dependencies of SCIM token authentication. */
export interface ScimAuthenticationOptions {
  readonly storage: ScimTokenReads;
  /** Records every use; see `createScimTokenUsage`. */
  readonly usage?: CredentialUsage | undefined;
}

const PREFIX = 'psc_';

/**
 * Authenticates SCIM tokens and the access tokens issued for them. A SCIM token belongs to no
 * member: it acts under its own id with the role admin, so that an identity provider can manage
 * members but create no owners. It is valid for the SCIM API only, where no API key is. The token
 * is looked up on every request, so that a revocation takes effect at once on every instance.
 */
export function createScimAuthentication(
  runtime: Runtime,
  { storage, usage }: ScimAuthenticationOptions,
): AuthenticateToken {
  const { clock } = runtime;
  const accessTokens = accessTokensOf(runtime);
  const allowlists = createIpAllowlists();
  return async ({ token, address }) => {
    const identity = token === null ? null : await identify(storage, accessTokens, token);
    if (!identity || !isInForce(identity, clock)) return null;
    allowlists.require(identity.ipAllowlist, address);
    usage?.record(identity.tokenId);
    return toPrincipal(identity);
  };
}

/** Identifies SCIM tokens again, in the transactions of their writes; see {@link ConfirmToken}. */
export function createScimConfirmation(
  runtime: Runtime,
  { storage }: { readonly storage: Storage<ScimTokenReads, ScimTokenWrites> },
): ConfirmToken {
  const accessTokens = accessTokensOf(runtime);
  return (token, session) =>
    storage.transaction({ session }, async (tx) => {
      const identity = await identify(tx, accessTokens, token, true);
      return identity && isInForce(identity, runtime.clock) ? toPrincipal(identity) : null;
    });
}

/** An access token for the SCIM API. */
export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** Issues access tokens by client credentials (RFC 6749, section 4.4). */
export interface ScimClientCredentials {
  /**
   * Null unless the secret is a SCIM token in force of the organization that `clientId` names.
   * @throws ProbityError `forbidden` for an address that the organization does not allow
   */
  issue(client: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly address: string | null;
  }): Promise<IssuedAccessToken | null>;
}

/** Creates the issuing of access tokens; the client id is the organization's id, the secret its SCIM token. */
export function createScimClientCredentials(
  runtime: Runtime,
  { storage }: ScimAuthenticationOptions,
): ScimClientCredentials {
  const { clock } = runtime;
  const accessTokens = accessTokensOf(runtime);
  const allowlists = createIpAllowlists();
  return {
    async issue({ clientId, clientSecret, address }) {
      if (!isWellFormedToken(PREFIX, clientSecret)) return null;
      const identity = await storage.identifyScimToken(hashSecret(clientSecret));
      if (identity?.organizationId !== clientId || !isInForce(identity, clock)) return null;
      allowlists.require(identity.ipAllowlist, address);
      const token = await accessTokens.issue(identity.tokenId);
      return { token, expiresInSeconds: SCIM_ACCESS_TOKEN_SECONDS };
    },
  };
}

function accessTokensOf(runtime: Runtime): ScimAccessTokens {
  const secretBox = requireSecretBox(runtime, 'Authentication of SCIM clients');
  return createScimAccessTokens({ secretBox, clock: runtime.clock });
}

async function identify(
  storage: ScimTokenReads,
  accessTokens: ScimAccessTokens,
  token: string,
  isHeld = false,
): Promise<ScimTokenIdentity | null> {
  if (isWellFormedToken(PREFIX, token)) {
    return storage.identifyScimToken(hashSecret(token), isHeld);
  }
  const id = token.includes('.') ? await accessTokens.read(token) : null;
  return id === null ? null : storage.identifyScimTokenById(id, isHeld);
}

function toPrincipal({ organizationId, tokenId, plan }: ScimTokenIdentity): Principal {
  return { organizationId, memberId: tokenId, keyId: tokenId, role: 'admin', plan };
}

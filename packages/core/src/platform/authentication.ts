import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { weakerRole } from '../permissions.ts';
import type { CredentialUsage } from './credential-usage.ts';
import type { PlatformStorage } from './storage.ts';
import { createTokenAuthentication } from './token-authentication.ts';

/** Where a credential comes from. */
export interface CredentialOrigin {
  /** The client's address as the trusted proxies tell it; null where there is none. */
  readonly address: string | null;
}

/** What goes with the session of a person who signed in; never handed on to services. */
export interface SessionProof {
  /** What state-changing requests by cookie must repeat. */
  readonly csrfToken: string;
  /** A secret of the session that stays the same when its tokens are renewed. */
  readonly secret: string;
}

/** Who a credential belongs to. */
export interface AuthenticatedCaller extends Principal {
  /** Without it a token is not accepted from a cookie. */
  readonly session?: SessionProof;
}

/**
 * Who a bearer token or access cookie belongs to, or null when it is no valid credential. It throws a ProbityError
 * `forbidden` for a valid one that must not be used from its origin. A host with users of its own
 * gives its own function.
 */
export type Authenticate = (
  token: string,
  origin: CredentialOrigin,
) => Promise<AuthenticatedCaller | null>;

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

import type { Principal } from '../context.ts';

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

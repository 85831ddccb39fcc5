import type { Principal } from '../context.ts';

/** Origin of a credential. */
export interface CredentialOrigin {
  /** The client's address as reported by the trusted proxies; null when there is none. */
  readonly address: string | null;
}

/** Session data of a signed-in person; never passed on to services. */
export interface SignInProof {
  /** CSRF token that state-changing requests by cookie must repeat. */
  readonly csrfToken: string;
  /** A secret of the session that stays the same when its tokens are renewed. */
  readonly secret: string;
}

/** The owner of a credential. */
export interface AuthenticatedCaller extends Principal {
  /** When absent, tokens in cookies are rejected. */
  readonly session?: SignInProof;
}

/**
 * Returns the owner of a bearer token or access cookie, or null when it is not a valid credential.
 * Throws a ProbityError `forbidden` for a valid one that must not be used from its origin. A host
 * with its own users passes its own function.
 */
export type Authenticate = (
  token: string,
  origin: CredentialOrigin,
) => Promise<AuthenticatedCaller | null>;

import type { Grant, RolePrincipal } from '../context.ts';
import type { ScopedTokenPrefix } from '../contract/prefixes.ts';

/** A token of limited scope; the token itself is stored only as a hash. */
export interface ScopedToken {
  /** `ptk_…` */
  readonly id: string;
  /** The prefix of the token. */
  readonly kind: ScopedTokenPrefix;
  /** SHA-256 in lower-case hex. */
  readonly tokenHash: string;
  readonly organizationId: string;
  /** The caller who made it, as at that time; the token never has more rights. */
  readonly issuer: TokenIssuer;
  readonly grant: Grant;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The member and the credential that a token was made with. */
export type TokenIssuer = Omit<RolePrincipal, 'grant'>;

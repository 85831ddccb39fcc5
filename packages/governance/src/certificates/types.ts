/** The algorithm of content hashes. */
export const HASH_ALGORITHM = 'sha-256';

/** What a certificate is: expired ones that were revoked are `revoked`. */
export const CERTIFICATE_STATES = ['valid', 'expired', 'revoked'] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

/** A nugget in the version that supported a claim. */
export interface NuggetVersion {
  readonly id: string;
  readonly version: number;
}

/** Who revoked a certificate, when and why. */
export interface Revocation {
  readonly at: Date;
  /** For the organization only. */
  readonly reason: string;
  readonly memberId: string;
}

/** States that an organization's knowledge base supported every claim of a content; the content itself is not stored. */
export interface Certificate {
  /** `crt_…`; public. */
  readonly id: string;
  readonly organizationId: string;
  /** The member that had it issued. */
  readonly memberId: string;
  /** SHA-256 of the content's UTF-8, in lower-case hex. */
  readonly contentHash: string;
  /** The signing key, as `kid` in the JWS and in the published key set. */
  readonly keyId: string;
  /** The certificate itself: a JWS in compact form. */
  readonly jws: string;
  /** The nuggets that supported the claims, by id. */
  readonly nuggets: readonly NuggetVersion[];
  /** To the second, as in the JWS. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly revocation: Revocation | null;
}

/** Which certificates a list has: those that match every member. */
export interface CertificateFilter {
  readonly contentHash?: string | undefined;
  /** Those that a nugget supports, in any version. */
  readonly nuggetId?: string | undefined;
  /** Those that are in this state. */
  readonly state?: CertificateState | undefined;
}

/** What a certificate is at a time. */
export function stateOf({ expiresAt, revocation }: Certificate, now: Date): CertificateState {
  if (revocation) return 'revoked';
  return now < expiresAt ? 'valid' : 'expired';
}

import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Signer } from '../signing-keys/signing-keys.ts';
import type { Certificate } from './types.ts';
import { HASH_ALGORITHM } from './types.ts';

/** The type of the JWS, so that no other token of the issuer passes for a certificate (RFC 8725, section 3.11). */
export const CERTIFICATE_TYPE = 'probity-certificate+jwt';

/** SHA-256 of a text's UTF-8, in lower-case hex. */
export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** What is signed of a certificate. */
type SignedFacts = Pick<
  Certificate,
  'id' | 'organizationId' | 'contentHash' | 'nuggets' | 'issuedAt' | 'expiresAt'
>;

/**
 * Signs a certificate: a JSON Web Token (RFC 7519) signed with Ed25519 (RFC 8037). The names that the token registry
 * has are used, `jti` for the id; the others are those of Probity.
 * @param issuer base of the public addresses, where the certificate and the keys are found
 */
export function signCertificate(
  facts: SignedFacts,
  { keyId, privateKey }: Pick<Signer, 'keyId' | 'privateKey'>,
  issuer: string,
): Promise<string> {
  const { id, organizationId, contentHash, nuggets, issuedAt, expiresAt } = facts;
  return new SignJWT({
    organization_id: organizationId,
    content_hash: contentHash,
    content_hash_algorithm: HASH_ALGORITHM,
    nuggets: nuggets.map(({ id: nugget, version }) => ({ id: nugget, version })),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: CERTIFICATE_TYPE })
    .setIssuer(issuer)
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
}

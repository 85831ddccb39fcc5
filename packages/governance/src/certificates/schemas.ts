import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { CertificateAddresses } from './addresses.ts';
import type { Certificate } from './types.ts';
import { CERTIFICATE_STATES, HASH_ALGORITHM, stateOf } from './types.ts';

const publicMembers = {
  id: z.string(),
  state: z
    .enum(CERTIFICATE_STATES)
    .describe('`revoked` also where it has expired since. Only `valid` stands for the content.'),
  organizationId: z.string(),
  contentHash: z.string().describe('Hash of the UTF-8 of the content, in lower-case hex.'),
  algorithm: z.literal(HASH_ALGORITHM).describe('The algorithm of the hash.'),
  issuedAt: timestamp,
  expiresAt: timestamp,
  revokedAt: timestamp.nullable(),
  keyId: z.string().describe('`kid` of the signing key in `/.well-known/jwks.json`.'),
  jws: z
    .string()
    .describe('The signed certificate: a JWS in compact form, signed with Ed25519 (`EdDSA`).'),
};

const nugget = { id: z.string(), version: z.int().nonnegative() };

const ownMembers = {
  ...publicMembers,
  revocationReason: z.string().nullable(),
  nuggets: z
    .array(z.strictObject(nugget).meta({ id: 'CertificateNugget' }))
    .describe('The nuggets that support the claims, each in the version that did.'),
  url: z.string().describe('Where everyone finds the certificate as JSON.'),
  pageUrl: z.string().describe('Where everyone finds a page that checks texts against it.'),
};

/** A certificate as everyone sees it. */
export const publicCertificateSchema = z
  .strictObject(publicMembers)
  .meta({ id: 'PublicCertificate' });

/** A certificate as its organization sees it. */
export const certificateSchema = z.strictObject(ownMembers).meta({ id: 'Certificate' });

/** A certificate with what became of its support. */
export const certificateDetailSchema = z
  .strictObject({
    ...ownMembers,
    nuggets: z
      .array(
        z
          .strictObject({
            ...nugget,
            state: z
              .enum(['current', 'changed', 'deleted'])
              .describe('Whether the knowledge base still has the nugget in this version.'),
          })
          .meta({ id: 'CertificateSupport' }),
      )
      .describe('The nuggets that support the claims, each in the version that did.'),
  })
  .meta({ id: 'CertificateDetail' });

/** The wire form for everyone. */
export function toPublicWire(
  certificate: Certificate,
  now: Date,
): z.infer<typeof publicCertificateSchema> {
  return {
    id: certificate.id,
    state: stateOf(certificate, now),
    organizationId: certificate.organizationId,
    contentHash: certificate.contentHash,
    algorithm: HASH_ALGORITHM,
    issuedAt: certificate.issuedAt.toISOString(),
    expiresAt: certificate.expiresAt.toISOString(),
    revokedAt: certificate.revocation?.at.toISOString() ?? null,
    keyId: certificate.keyId,
    jws: certificate.jws,
  };
}

/** The wire form for the organization. */
export function toCertificateWire(
  certificate: Certificate,
  now: Date,
  addresses: CertificateAddresses,
): z.infer<typeof certificateSchema> {
  return {
    ...toPublicWire(certificate, now),
    revocationReason: certificate.revocation?.reason ?? null,
    nuggets: certificate.nuggets.map(({ id, version }) => ({ id, version })),
    url: addresses.url(certificate.id),
    pageUrl: addresses.pageUrl(certificate.id),
  };
}

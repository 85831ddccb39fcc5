import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { CertificateEndpointOptions } from '../certificates/http.ts';
import { certificateSchema, toCertificateWire } from '../certificates/schemas.ts';
import { REFUSAL_REASONS } from './certifiable.ts';
import { verificationInput } from './input.ts';
import type { VerifiedClaim } from './types.ts';
import { CLAIM_STATUSES, VERDICTS } from './types.ts';
import type { Verifications } from './verifications.ts';

const share = z.number().min(0).max(1);

const claimSchema = z
  .strictObject({
    text: z.string(),
    start: z.int().nonnegative().describe('In UTF-16 code units of the content, half-open.'),
    end: z.int().nonnegative(),
    status: z
      .enum(CLAIM_STATUSES)
      .describe('`unknown` where the knowledge base says neither, or the language is not covered.'),
    similarity: share.describe('How far claim and nearest nugget are about the same.'),
    nuggets: z
      .array(
        z
          .strictObject({
            id: z.string(),
            claim: z.string(),
            source_url: z.string(),
            similarity: share,
          })
          .meta({ id: 'ClaimNugget' }),
      )
      .describe('The nugget that decided; of an unknown claim the nearest ones, three at most.'),
  })
  .meta({ id: 'VerifiedClaim' });

const verificationSchema = z
  .strictObject({
    verdict: z
      .enum(VERDICTS)
      .describe(
        '`contradicted` where a claim is; `verified` where there are claims and all are supported; else `unverified`.',
      ),
    claims: z.array(claimSchema),
    certificate: certificateSchema
      .optional()
      .describe('Present where `certify` was asked for and nothing spoke against it.'),
    certificateRefusal: z
      .strictObject({
        reason: z.enum(REFUSAL_REASONS),
        message: z.string(),
        claims: z.array(z.int().nonnegative()).describe('Places of the claims at fault, from 0.'),
      })
      .meta({ id: 'CertificateRefusal' })
      .optional()
      .describe('Present where `certify` was asked for and there is no certificate.'),
  })
  .meta({ id: 'Verification' });

/** What the endpoint is made of. */
export interface VerificationEndpointOptions extends CertificateEndpointOptions {
  readonly verifications: Verifications;
}

/** Declares the endpoint that verifies texts. */
export function verificationEndpoints({
  verifications,
  addresses,
  clock,
}: VerificationEndpointOptions): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/shield/verify',
      operationId: 'verifyContent',
      summary: 'Verify a text against the knowledge base, and certify it',
      description:
        'Splits the content into claims and holds each against the knowledge base of the organization. With `certify` it issues ' +
        'a certificate over the hash of the content where every claim is supported in the words of a nugget. The content is ' +
        'not stored.',
      tag: 'Certificates',
      permission: 'content:verify',
      rateLimit: 'general',
      body: verificationInput,
      errors: ['conflict'],
      responses: {
        200: {
          description: 'What the knowledge base says',
          schema: dataObject(verificationSchema),
        },
      },
      async handler({ context, body, reply }) {
        const outcome = await verifications.verify(context, body);
        const { verification, certificate, refusal } = outcome;
        const wire = certificate && toCertificateWire(certificate, clock.now(), addresses);
        return reply(200, {
          data: {
            verdict: verification.verdict,
            claims: verification.claims.map(toClaimWire),
            ...(wire && { certificate: wire }),
            ...(refusal && { certificateRefusal: { ...refusal, claims: [...refusal.claims] } }),
          },
        });
      },
    }),
  ];
}

function toClaimWire(claim: VerifiedClaim): z.infer<typeof claimSchema> {
  const { text, start, end, status, similarity } = claim;
  return {
    ...{ text, start, end, status, similarity },
    nuggets: claim.nuggets.map(({ nugget, similarity: near }) => ({
      id: nugget.id,
      claim: nugget.claim,
      source_url: nugget.sourceUrl,
      similarity: near,
    })),
  };
}

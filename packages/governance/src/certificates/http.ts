import type { Clock } from '@probity/core';
import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import type { CertificateAddresses } from './addresses.ts';
import type { Certificates } from './certificates.ts';
import { contentHashText, revocationInput } from './input.ts';
import { certificateDetailSchema, certificateSchema, toCertificateWire } from './schemas.ts';
import { CERTIFICATE_STATES } from './types.ts';

/** What the endpoints are made of. */
export interface CertificateEndpointOptions {
  readonly certificates: Certificates;
  readonly addresses: CertificateAddresses;
  readonly clock: Pick<Clock, 'now'>;
}

const shared = { tag: 'Certificates', rateLimit: 'general' } as const;
const PATH = '/shield/certificates';
const params = z.strictObject({ certificate_id: z.string() });

/** Declares the endpoints of an organization's certificates. */
export function certificateEndpoints(options: CertificateEndpointOptions): Endpoint[] {
  return [listEndpoint(options), getEndpoint(options), revokeEndpoint(options)];
}

function listEndpoint({ certificates, addresses, clock }: CertificateEndpointOptions): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: PATH,
    operationId: 'listCertificates',
    summary: 'List certificates, newest first',
    description:
      'Lists the certificates of the organization: all, those of a content by its hash, those that a nugget supports, ' +
      'for instance after it was corrected, or those in a state.',
    permission: 'certificates:read',
    query: pageQuery.extend({
      contentHash: contentHashText.optional().describe('SHA-256 of the content.'),
      nuggetId: z.string().max(100).optional().describe('A nugget that supports a claim.'),
      state: z
        .enum(CERTIFICATE_STATES, `must be one of ${CERTIFICATE_STATES.join(', ')}`)
        .optional()
        .describe('The present state; an expired certificate that was revoked is `revoked`.'),
    }),
    responses: {
      200: { description: 'A page of certificates', schema: dataList(certificateSchema) },
    },
    async handler({ context, query, reply }) {
      const { limit, offset, ...filter } = query;
      const { items, total } = await certificates.list(context, filter, { limit, offset });
      const now = clock.now();
      const data = items.map((each) => toCertificateWire(each, now, addresses));
      return reply(200, { data, ...toPageInfo(query, total) });
    },
  });
}

function getEndpoint({ certificates, addresses, clock }: CertificateEndpointOptions): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: `${PATH}/{certificate_id}`,
    operationId: 'getCertificate',
    summary: 'Get a certificate',
    description:
      'Returns one certificate of the organization, and for each nugget that supports it whether it was changed or deleted since.',
    permission: 'certificates:read',
    params,
    responses: {
      200: { description: 'The certificate', schema: dataObject(certificateDetailSchema) },
    },
    async handler({ context, params: { certificate_id: id }, reply }) {
      const { certificate, support } = await certificates.get(context, id);
      const wire = toCertificateWire(certificate, clock.now(), addresses);
      return reply(200, { data: { ...wire, nuggets: [...support] } });
    },
  });
}

function revokeEndpoint({ certificates, addresses, clock }: CertificateEndpointOptions): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: `${PATH}/{certificate_id}/revoke`,
    operationId: 'revokeCertificate',
    summary: 'Revoke a certificate',
    description:
      'Revokes a certificate, for good: the public answers show it at once. Emits `certification.revoked`. 409 when it is ' +
      'revoked already.',
    permission: 'certificates:write',
    params,
    body: revocationInput,
    errors: ['conflict'],
    responses: {
      200: { description: 'The revoked certificate', schema: dataObject(certificateSchema) },
    },
    async handler({ context, params: { certificate_id: id }, body, reply }) {
      const revoked = await certificates.revoke(context, id, body);
      return reply(200, { data: toCertificateWire(revoked, clock.now(), addresses) });
    },
  });
}

import { ProbityError } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { CertificateEndpointOptions } from './http.ts';
import { ABSENT_PAGE, PAGE_HEADERS, PAGE_SCRIPT, toPage } from './page.ts';
import { publicCertificateSchema, toPublicWire } from './schemas.ts';

const shared = {
  method: 'GET',
  tag: 'Certificates',
  permission: 'public',
  rateLimit: 'general',
} as const;

const params = z.strictObject({ certificate_id: z.string() });

/** Declares what everyone reads of a certificate, below the prefix of the general API. */
export function trustEndpoints({ certificates, clock }: CertificateEndpointOptions): Endpoint[] {
  return [
    endpoint({
      ...shared,
      path: '/trust/certificates/{certificate_id}',
      operationId: 'getPublicCertificate',
      summary: 'Get a certificate as everyone sees it',
      description:
        'Returns the certificate and its state. Needs no API key. To be asked again before each use, as certificates can be ' +
        'revoked.',
      caching: 'revalidate',
      params,
      responses: {
        200: { description: 'The certificate', schema: dataObject(publicCertificateSchema) },
      },
      async handler({ params: { certificate_id: id }, reply }) {
        return reply(200, { data: toPublicWire(await certificates.findPublic(id), clock.now()) });
      },
    }),
  ];
}

const keySetSchema = z
  .strictObject({
    keys: z.array(
      z
        .strictObject({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: z.string(),
          kid: z.string(),
          alg: z.literal('EdDSA'),
          use: z.literal('sig'),
        })
        .meta({ id: 'CertificateKey' }),
    ),
  })
  .meta({ id: 'CertificateKeySet' });

/** Declares the key set and the check page, which are not below the prefix. */
export function trustPageEndpoints(options: CertificateEndpointOptions): Endpoint[] {
  return [keySetEndpoint(options), pageEndpoint(options), scriptEndpoint()];
}

function keySetEndpoint({ certificates }: CertificateEndpointOptions): Endpoint {
  return endpoint({
    ...shared,
    path: '/.well-known/jwks.json',
    operationId: 'getCertificateKeys',
    summary: 'Get the public keys of certificates',
    description:
      'Returns the keys of all certificates that have not expired, as a JSON Web Key Set. Needs no API key.',
    caching: 'revalidate',
    responses: { 200: { description: 'The key set', schema: keySetSchema } },
    async handler({ reply }) {
      const { keys } = await certificates.keySet();
      return reply(200, { keys: [...keys] });
    },
  });
}

function pageEndpoint({ certificates, clock }: CertificateEndpointOptions): Endpoint {
  return endpoint({
    ...shared,
    path: '/certificates/{certificate_id}',
    operationId: 'getCertificatePage',
    summary: 'Open the page of a certificate',
    description:
      'A page for people: the state of the certificate, and a field that compares a text with it within the browser.',
    params,
    responses: {
      200: { description: 'The page', mediaType: 'text/html' },
      404: { description: 'The page of an unknown certificate', mediaType: 'text/html' },
    },
    async handler({ headers, params: { certificate_id: id }, reply }) {
      // Programs get the error of the interface.
      const isPerson = headers.accept?.includes('text/html') ?? false;
      const found = await certificates.findPublic(id).catch((error: unknown) => {
        const isAbsent = error instanceof ProbityError && error.kind === 'not_found';
        if (isAbsent && isPerson) return undefined;
        throw error;
      });
      const page = found ? toPage(toPublicWire(found, clock.now())) : ABSENT_PAGE;
      return reply.bytes('text/html; charset=utf-8', Buffer.from(page), {
        headers: PAGE_HEADERS,
        status: found ? 200 : 404,
      });
    },
  });
}

function scriptEndpoint(): Endpoint {
  const bytes = Buffer.from(PAGE_SCRIPT);
  return endpoint({
    ...shared,
    path: '/certificate-page.js',
    operationId: 'getCertificatePageScript',
    summary: 'Get the script of the page of certificates',
    description: 'Compares a text with the hash of the page; sends nothing.',
    responses: { 200: { description: 'The script', mediaType: 'text/javascript' } },
    handler: async ({ reply }) => reply.bytes('text/javascript; charset=utf-8', bytes),
  });
}

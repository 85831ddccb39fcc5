import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import type { Json } from './openapi-schemas.ts';
import type { ReferencePage } from './reference/page.ts';
import { createReferencePage } from './reference/page.ts';
import { API_INFO } from './status.ts';

/** Options of {@link servicePageEndpoints}. */
export interface ServicePageOptions {
  /** The OpenAPI document; the same object until it changes. */
  document(): Json;
  /** The base URL of the endpoints, or their path where it is not known. */
  baseUrl(): string;
  /** Path of the endpoint that tells whether the service works. */
  readonly health: '/health' | '/status';
}

const serviceIndex = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    version: z.string().describe('Version of the API.'),
    docs: z.string().describe('URL of the reference page.'),
    openapi: z.string().describe('URL of the OpenAPI document.'),
    health: z.string().describe('URL that tells whether the service works.'),
  })
  .meta({ id: 'ServiceIndex' });

const shared = {
  method: 'GET',
  tag: 'Status',
  permission: 'public',
  rateLimit: 'none',
} as const;

/** `GET /` and `GET /docs`, relative to the root or the mount; need no key. */
export function servicePageEndpoints(options: ServicePageOptions): Endpoint[] {
  return [indexEndpoint(options), referenceEndpoint(options)];
}

function indexEndpoint({ baseUrl, health }: ServicePageOptions): Endpoint {
  return endpoint({
    ...shared,
    path: '/',
    operationId: 'getServiceIndex',
    summary: 'Get what this service is and where its documentation is',
    description:
      'Returns the name and the version of the API with links. Browsers, which accept HTML, are sent to ' +
      'the reference page.',
    responses: {
      200: { description: 'The service', schema: serviceIndex },
      303: { description: 'The reference page, for browsers' },
    },
    async handler({ headers, reply }) {
      const base = baseUrl();
      const docs = `${base}/docs`;
      if (headers.accept?.includes('text/html')) {
        return reply(303, undefined, { headers: { Location: docs, Vary: 'Accept' } });
      }
      const { title, description, version } = API_INFO;
      const links = { docs, openapi: `${base}/openapi.json`, health: base + health };
      const body = { name: title, description, version, ...links };
      return reply(200, body, { headers: { Vary: 'Accept' } });
    },
  });
}

function referenceEndpoint({ document, baseUrl }: ServicePageOptions): Endpoint {
  const pages = new WeakMap<Json, ReferencePage>();
  const pageOf = (shown: Json): ReferencePage => {
    const page = pages.get(shown) ?? createReferencePage(shown, `${baseUrl()}/openapi.json`);
    pages.set(shown, page);
    return page;
  };
  return endpoint({
    ...shared,
    path: '/docs',
    operationId: 'getReferencePage',
    summary: 'Get the reference page of the whole API',
    description: 'Returns the OpenAPI document as a page for people, which loads nothing else.',
    caching: 'revalidate',
    responses: { 200: { description: 'The reference page', mediaType: 'text/html' } },
    async handler({ reply }) {
      const { bytes, headers } = pageOf(document());
      return reply.bytes('text/html; charset=utf-8', bytes, { headers });
    },
  });
}

import { z } from 'zod';
import type { GroupDocumentation } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import { betaErrors, toPascalCase } from './error-format.ts';
import type { EndpointGroup } from './openapi.ts';
import { createOpenApiDocument, openApiEndpoints, rememberLast } from './openapi.ts';
import { requiredLimit } from './schemas.ts';

/** Prefix of the trial of version 2 (specification, "Versioning", rule 11). */
export const BETA_PREFIX = '/beta';

const TAG = 'Beta';

const DOCUMENTATION: GroupDocumentation = Object.freeze({
  tags: {
    [TAG]:
      'Lists of the general API as version 2 will have them: `limit` is required, and errors have fewer codes. For trials; ' +
      'it changes without notice.',
  },
});

const INFO = Object.freeze({
  title: 'Probity, version 2 on trial',
  version: '2.0.0-beta',
  description:
    'The lists of the general API with what version 2 will change: mandatory pagination and consolidated error codes.',
});

const OPENAPI = {
  operationId: 'getBetaOpenApiDocument',
  summary: 'Get the OpenAPI 3.1 document of the trial of version 2',
};

/**
 * The lists of the general API with the changes of version 2, for trials: `limit` is required, and errors have the
 * consolidated codes. Their document is at `/beta/openapi.json` and not part of that of version 1, which may
 * not change as they may.
 */
export function betaGroup(general: EndpointGroup, baseUrl: () => string): EndpointGroup {
  const lists = general.endpoints.filter(isList).map(toBeta);
  const documented = {
    prefix: BETA_PREFIX,
    errorFormat: betaErrors,
    endpoints: lists,
    documentation: DOCUMENTATION,
  };
  const document = rememberLast(baseUrl, (url) =>
    createOpenApiDocument({ ...INFO, servers: [url] }, [documented]),
  );
  const [openApi] = openApiEndpoints(document);
  return {
    ...documented,
    hasOwnDocument: true,
    endpoints: [...lists, { ...(openApi as Endpoint), ...OPENAPI }],
  };
}

function isList({ method, query }: Endpoint): boolean {
  return method === 'GET' && query instanceof z.ZodObject && 'limit' in query.shape;
}

function toBeta(list: Endpoint): Endpoint {
  const { operationId, aliases: _, deprecation: __, ...rest } = list;
  return Object.freeze({
    ...rest,
    operationId: `beta${toPascalCase(operationId)}`,
    tag: TAG,
    query: (list.query as z.ZodObject).safeExtend({ limit: requiredLimit }),
  });
}

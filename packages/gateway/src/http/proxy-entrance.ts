import type { ErrorFormat } from '@probity/core/koa';
import { endpoint, generalErrors, stream } from '@probity/core/koa';
import { rememberScans } from '@probity/pipeline/messages';
import { z } from 'zod';
import { forward } from '../proxy/forward.ts';
import { createModelRoutes } from '../proxy/model-routes.ts';
import type { ProxyMount, ProxyProtocol } from '../proxy/protocols.ts';
import { OPENAI, PROTOCOLS } from '../proxy/protocols.ts';
import { faultOf, proxyError } from '../proxy/proxy-error.ts';
import { readRequestBody } from '../proxy/request-body.ts';
import type { EntranceParts, HttpEntrance } from './entrance.ts';

/** The interfaces of models; requests and answers are those of the interfaces. */
export const proxyEntrances: readonly HttpEntrance[] = [
  ...PROTOCOLS.flatMap((protocol) =>
    protocol.mounts.map(
      (mount): HttpEntrance => ({
        prefix: mount.prefix,
        isSigned: false,
        errorFormat: (general) => errorFormatOf(protocol.errorBody, general),
        endpoints: (parts) => [callEndpoint(protocol, mount, parts)],
      }),
    ),
  ),
  {
    prefix: '/v1',
    isSigned: false,
    errorFormat: (general) => errorFormatOf(OPENAI.errorBody, general),
    endpoints: modelEndpoints,
  },
];

function callEndpoint(protocol: ProxyProtocol, { path }: ProxyMount, parts: EntranceParts) {
  const { scanner } = parts;
  const { snapshot } = scanner;
  const { server } = snapshot.config;
  const shared = {
    ...parts,
    routes: createModelRoutes(snapshot.config),
    scan: rememberScans(scanner.pipeline),
  };
  return endpoint({
    ...sharedDeclaration(parts),
    method: 'POST',
    path,
    operationId: protocol.operationId,
    summary: protocol.summary,
    tokenHeader: protocol.tokenHeader,
    ...(path.includes('{deployment}') && { params: z.strictObject({ deployment: z.string() }) }),
    body: stream({
      types: ['application/json'],
      limit: server.max_payload_size,
      read: readRequestBody,
    }),
    responses: {
      200: {
        description: 'What the model answers, as far as the policies let it pass',
        mediaType: ['application/json', 'text/event-stream'],
      },
    },
    async handler({ context, params, body, headers, reply }) {
      const model = (params as { readonly deployment: string } | undefined)?.deployment;
      const answer = await forward(shared, { context, protocol, body, model, headers });
      const extras = { headers: answer.headers };
      return answer.data instanceof Uint8Array
        ? reply.bytes(answer.type, answer.data, extras)
        : reply.stream(answer.type, answer.data, extras);
    },
  });
}

function sharedDeclaration({ scanner }: EntranceParts) {
  return {
    tag: 'Models',
    permission: 'scans:create',
    rateLimit: scanner.snapshot.config.rate_limiting.enabled ? 'general' : 'none',
    unknownQuery: 'ignore',
  } as const;
}

const modelSchema = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
});

/** The models that are on, as OpenAI lists them. */
function modelEndpoints(parts: EntranceParts) {
  const { snapshot } = parts.scanner;
  const created = Math.floor(snapshot.loadedAt.getTime() / 1_000);
  const models = createModelRoutes(snapshot.config).all.map(({ modelId, providerId }) => {
    return { id: modelId, object: 'model' as const, created, owned_by: providerId };
  });
  const shared = { ...sharedDeclaration(parts), method: 'GET', tokenHeader: 'api-key' } as const;
  const list = z.strictObject({ object: z.literal('list'), data: z.array(modelSchema) });
  return [
    endpoint({
      ...shared,
      path: '/models',
      operationId: 'listModels',
      summary: 'List the models that may be called',
      responses: { 200: { description: 'The models', schema: list } },
      handler: async ({ reply }) => reply(200, { object: 'list', data: models }),
    }),
    endpoint({
      ...shared,
      path: '/models/{model}',
      operationId: 'getModel',
      summary: 'Get a model that may be called',
      params: z.strictObject({ model: z.string() }),
      responses: { 200: { description: 'The model', schema: modelSchema } },
      async handler({ params, reply }) {
        const model = models.find(({ id }) => id === params.model);
        if (model) return reply(200, model);
        const message = 'There is no such model, or it is not enabled.';
        throw proxyError({ status: 404, message, code: 'model_not_found', param: 'model' });
      },
    }),
  ];
}

/** Errors in the form of the interface, so that its SDKs read them. */
function errorFormatOf(bodyOf: ProxyProtocol['errorBody'], general: ErrorFormat): ErrorFormat {
  const schema = z.looseObject({});
  const faultIn = (error: Parameters<ErrorFormat['body']>[0]) =>
    faultOf(error, general.status(error));
  return {
    ...generalErrors,
    status: (error) => ('cause' in error ? faultIn(error as never).status : general.status(error)),
    body: (error, requestId) => bodyOf(faultIn(error), requestId),
    schema,
    schemaOf: () => schema,
  };
}

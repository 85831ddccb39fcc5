import type { Endpoint, ErrorFormat } from '@probity/core/koa';
import { endpoint, generalErrors, stream } from '@probity/core/koa';
import { rememberScans } from '@probity/pipeline/messages';
import { z } from 'zod';
import type { ForwardParts } from '../proxy/forward.ts';
import { forward } from '../proxy/forward.ts';
import { createModelRoutes } from '../proxy/model-routes.ts';
import type { ProxyMount, ProxyProtocol } from '../proxy/protocols.ts';
import { OPENAI, PROTOCOLS } from '../proxy/protocols.ts';
import { faultOf } from '../proxy/proxy-error.ts';
import { readRequestBody } from '../proxy/request-body.ts';
import type { EntranceParts, HttpEntrance } from './entrance.ts';
import { modelEndpoints, sharedDeclaration } from './model-endpoints.ts';
import { storedResponseEndpoints } from './stored-response-endpoints.ts';

/** The interfaces of models; requests and answers are those of the interfaces. */
export const proxyEntrances: readonly HttpEntrance[] = [
  ...PROTOCOLS.flatMap((protocol) =>
    protocol.mounts.map(
      (mount): HttpEntrance => ({
        prefix: mount.prefix,
        isSigned: false,
        errorFormat: (general) => errorFormatOf(protocol.errorBody, general),
        endpoints: (parts) => endpointsAt(protocol, mount, parts),
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

function endpointsAt(
  protocol: ProxyProtocol,
  mount: ProxyMount,
  parts: EntranceParts,
): readonly Endpoint[] {
  const { scanner } = parts;
  const shared = {
    ...parts,
    routes: createModelRoutes(scanner.snapshot.config),
    scan: rememberScans(scanner.pipeline),
  };
  const stored = protocol.isStored ? storedResponseEndpoints(protocol, mount, shared) : [];
  return [callEndpoint(protocol, mount, shared), ...stored];
}

function callEndpoint(protocol: ProxyProtocol, { path }: ProxyMount, parts: ForwardParts) {
  const { server } = parts.scanner.snapshot.config;
  return endpoint({
    ...sharedDeclaration(parts),
    method: 'POST',
    path,
    operationId: protocol.operationId,
    summary: protocol.summary,
    tokenHeaders: [protocol.tokenHeader],
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
      const answer = await forward(parts, { context, protocol, body, model, headers });
      const extras = { headers: answer.headers };
      return answer.data instanceof Uint8Array
        ? reply.bytes(answer.type, answer.data, extras)
        : reply.stream(answer.type, answer.data, extras);
    },
  });
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

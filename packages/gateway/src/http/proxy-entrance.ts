import type { ErrorFormat } from '@probity/core/koa';
import { endpoint, generalErrors, stream } from '@probity/core/koa';
import { rememberScans } from '@probity/pipeline/messages';
import { z } from 'zod';
import { forward } from '../proxy/forward.ts';
import { createModelRoutes } from '../proxy/model-routes.ts';
import type { ProxyProtocol } from '../proxy/protocols.ts';
import { PROTOCOLS } from '../proxy/protocols.ts';
import { faultOf } from '../proxy/proxy-error.ts';
import { readRequestBody } from '../proxy/request-body.ts';
import type { EntranceParts, HttpEntrance } from './entrance.ts';

/** The interfaces of models, below `/v1`; requests and answers are those of the interfaces. */
export const proxyEntrances: readonly HttpEntrance[] = PROTOCOLS.map((protocol) => ({
  prefix: '/v1',
  isSigned: false,
  errorFormat: (general: ErrorFormat) => errorFormatOf(protocol, general),
  endpoints: (parts: EntranceParts) => [callEndpoint(protocol, parts)],
}));

function callEndpoint(protocol: ProxyProtocol, parts: EntranceParts) {
  const { snapshot } = parts.scanner;
  const { server, rate_limiting } = snapshot.config;
  const shared = {
    ...parts,
    routes: createModelRoutes(snapshot.config),
    scan: rememberScans(snapshot.pipeline),
  };
  return endpoint({
    method: 'POST',
    path: protocol.path,
    operationId: protocol.operationId,
    summary: protocol.summary,
    tag: 'Models',
    permission: 'scans:create',
    tokenHeader: protocol.tokenHeader,
    rateLimit: rate_limiting.enabled ? 'general' : 'none',
    unknownQuery: 'ignore',
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
    async handler({ context, body, headers, reply }) {
      const {
        type,
        data,
        headers: passed,
      } = await forward(shared, { context, protocol, body, headers });
      const extras = { headers: passed };
      return data instanceof Uint8Array
        ? reply.bytes(type, data, extras)
        : reply.stream(type, data, extras);
    },
  });
}

/** Errors in the form of the interface, so that its SDKs read them. */
function errorFormatOf(protocol: ProxyProtocol, general: ErrorFormat): ErrorFormat {
  const schema = z.looseObject({});
  const faultIn = (error: Parameters<ErrorFormat['body']>[0]) =>
    faultOf(error, general.status(error));
  return {
    ...generalErrors,
    status: (error) => ('cause' in error ? faultIn(error as never).status : general.status(error)),
    body: (error, requestId) => protocol.errorBody(faultIn(error), requestId),
    schema,
    schemaOf: () => schema,
  };
}

import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { ForwardParts } from '../proxy/forward.ts';
import type { ProxyMount, ProxyProtocol } from '../proxy/protocols.ts';
import type { StoredResponseRequest } from '../proxy/stored-responses.ts';
import { forwardStored } from '../proxy/stored-responses.ts';
import { sharedDeclaration } from './model-endpoints.ts';

const params = z.strictObject({ response_id: z.string() });
const text = z.string().max(256).optional();
const retrieveQuery = z.strictObject({
  stream: text,
  starting_after: text,
  include_obfuscation: text,
  include: text,
});
const listQuery = z.strictObject({
  after: text,
  before: text,
  limit: text,
  order: text,
  include: text,
});
const none = z.strictObject({});

interface Operation {
  readonly method: StoredResponseRequest['method'];
  readonly below: StoredResponseRequest['below'];
  readonly query: z.ZodType<StoredResponseRequest['query']>;
  readonly operationId: string;
  readonly summary: string;
}

const OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'GET', below: '', query: retrieveQuery },
    ...{ operationId: 'getResponse', summary: 'Get a stored response' },
  },
  {
    ...{ method: 'DELETE', below: '', query: none },
    ...{ operationId: 'deleteResponse', summary: 'Delete a stored response' },
  },
  {
    ...{ method: 'POST', below: '/cancel', query: none },
    ...{ operationId: 'cancelResponse', summary: 'Cancel a background response' },
  },
  {
    ...{ method: 'GET', below: '/input_items', query: listQuery },
    ...{ operationId: 'listInputItems', summary: 'List the input items of a stored response' },
  },
];

/** The endpoints of responses that providers store, such as background ones, below the place where they are created. */
export function storedResponseEndpoints(
  protocol: ProxyProtocol,
  { path }: ProxyMount,
  parts: ForwardParts,
): readonly Endpoint[] {
  return OPERATIONS.map(({ method, below, ...operation }) =>
    endpoint({
      ...sharedDeclaration(parts),
      ...operation,
      method,
      path: `${path}/{response_id}${below}`,
      tokenHeaders: [protocol.tokenHeader],
      params,
      responses: {
        200: {
          description: 'The answer of the provider, as far as the policies let it pass',
          mediaType: ['application/json', 'text/event-stream'],
        },
      },
      async handler({ context, params: { response_id: id }, query, headers, reply }) {
        const request = { context, protocol, headers, method, id, below, query };
        const answer = await forwardStored(parts, request);
        const extras = { headers: answer.headers };
        return answer.data instanceof Uint8Array
          ? reply.bytes(answer.type, answer.data, extras)
          : reply.stream(answer.type, answer.data, extras);
      },
    }),
  );
}

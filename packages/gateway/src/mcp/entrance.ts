import type { CallContext } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { collectBytes } from '@probity/core/internal';
import type { Reply, ReplyFunction } from '@probity/core/koa';
import { endpoint, stream } from '@probity/core/koa';
import { writeJsonInTurns } from '@probity/pipeline/protocols';
import { z } from 'zod';
import type { EntranceParts, HttpEntrance } from '../http/entrance.ts';
import { parseBody } from '../http/json-body.ts';
import { tokenIn } from '../proxy/restoration.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';
import { spanOf } from '../tracing/tracing.ts';
import { createMcpGuard } from './guard.ts';
import type { McpAnswer, McpCall } from './session.ts';
import { end, listen, post } from './session.ts';
import { createSessionIds } from './session-id.ts';
import { createToolTest } from './tools.ts';

const MEDIA_TYPES = ['application/json', 'text/event-stream'] as const;

const rpcError = z.looseObject({ jsonrpc: z.literal('2.0') });
const failure = (description: string) => ({ description, schema: rpcError });
const responses = {
  200: { description: 'Messages of the server', mediaType: MEDIA_TYPES },
  202: { description: 'Taken' },
  204: { description: 'The session has ended' },
  400: failure('No message of JSON-RPC, or refused by the server'),
  403: failure('What was sent is blocked'),
  404: failure('The session is unknown to the server'),
  405: failure('The server does not offer this'),
  502: failure('The server does not answer, or not by the protocol'),
} as const;

/** `/mcp/{server_id}`: MCP servers behind the gateway, by Streamable HTTP. */
export const mcpEntrance: HttpEntrance = {
  prefix: '/mcp',
  // Clients of MCP cannot sign; the API key is needed.
  isSigned: false,
  endpoints(parts) {
    const { server, rate_limiting } = parts.scanner.snapshot.config;
    const shared = {
      path: '/{server_id}',
      tag: 'MCP',
      permission: 'scans:create',
      rateLimit: rate_limiting.enabled ? 'general' : 'none',
      unknownQuery: 'ignore',
      params: z.strictObject({ server_id: z.string() }),
      responses,
    } as const;
    return [
      endpoint({
        ...shared,
        method: 'POST',
        operationId: 'postMcp',
        summary: 'Send messages to an MCP server',
        body: stream({
          types: ['application/json'],
          limit: server.max_payload_size,
          schema: z.unknown(),
          read: async (chunks, memory) => parseBody(await collectBytes(chunks), memory),
        }),
        async handler({ context, params, headers, body, reply }) {
          const call = openCall(parts, { context, headers, id: params.server_id });
          return toReply(reply, await post(call, body));
        },
      }),
      endpoint({
        ...shared,
        method: 'GET',
        operationId: 'listenMcp',
        summary: 'Listen to an MCP server',
        async handler({ context, params, headers, reply }) {
          // Such a stream lasts for hours: it goes by what is in force, and ends with the gateway.
          const ends = [parts.ending, ...(context.signal ? [context.signal] : [])];
          const call = openCall(parts, {
            ...{ context, headers, id: params.server_id },
            scanner: parts.latest,
            signal: AbortSignal.any(ends),
          });
          return toReply(reply, await listen(call));
        },
      }),
      endpoint({
        ...shared,
        method: 'DELETE',
        operationId: 'endMcpSession',
        summary: 'End a session with an MCP server',
        async handler({ context, params, headers, reply }) {
          const call = openCall(parts, { context, headers, id: params.server_id });
          return toReply(reply, await end(call));
        },
      }),
    ];
  },
};

interface OpenedCall extends Pick<McpCall, 'headers'> {
  readonly context: CallContext;
  readonly id: string;
  /** Default: the scanner of the snapshot. */
  readonly scanner?: () => GatewayScanner;
  /** Default: that of the context. */
  readonly signal?: AbortSignal;
}

/** @throws ProbityError `not_found` for a server that is not configured, or is off; `unauthorized` without a bearer token */
function openCall(parts: EntranceParts, opened: OpenedCall): McpCall {
  const { context, headers, id, scanner = () => parts.scanner, signal = context.signal } = opened;
  const { keys, logger, mcpUpstream: upstream } = parts;
  const server = () => {
    const { servers } = scanner().snapshot.config.mcp;
    const known = Object.hasOwn(servers, id) ? servers[id] : undefined;
    if (!known?.enabled) throw notFound('MCP server');
    return known;
  };
  const { keyId } = context.principal;
  const keyUsers = keys.named(keyId)?.users ?? [];
  const origin = { address: context.address, keyUsers };
  const guard = createMcpGuard({
    check: () => ({ scanner: scanner(), context, origin, server: server() }),
    mayUse: () => createToolTest(server(), keyId),
    serverId: id,
    refusedTools: parts.refusedTools,
    sessionId: headers['mcp-session-id']?.toString(),
    logger,
  });
  const limit = scanner().snapshot.config.server.max_payload_size;
  const token = tokenIn(headers);
  // Sessions are sealed with it. Cookies, which the server takes as well, are of browsers.
  if (token === undefined) throw new ProbityError('unauthorized');
  const sessionIds = createSessionIds(token, id);
  const call = { server: server(), guard, upstream, logger, headers, sessionIds, signal, limit };
  return { ...call, trace: spanOf(context) };
}

async function toReply(reply: ReplyFunction<typeof responses>, answer: McpAnswer): Promise<Reply> {
  const { headers } = answer;
  if (answer.kind === 'events')
    return reply.stream('text/event-stream', answer.events, { headers });
  if (answer.kind === 'empty') {
    return answer.status === 200
      ? reply.bytes('application/json', new Uint8Array(), { headers })
      : reply(answer.status, undefined, { headers });
  }
  const { status, body } = answer;
  const json = await writeJsonInTurns(body);
  return status === 200
    ? reply.bytes('application/json', Buffer.from(json), { headers })
    : reply(status, body, { headers, json });
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { addressOf } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import type { GatewayWorld, WorldOptions } from '../world.ts';
import { LOOPBACK, startGateway } from '../world.ts';

/** A request that the server got. */
interface Received {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An MCP server over HTTP. */
export interface McpBackend {
  readonly url: string;
  readonly received: Received[];
}

/** Options of a server. */
export interface BackendOptions {
  /** Adds tools, prompts and resources. */
  readonly build: (server: McpServer) => void;
  /** Answers in JSON rather than in streams. */
  readonly json?: boolean;
}

/** Starts a real MCP server with sessions, and with events that can be asked for again. */
export async function startBackend(
  t: TestLifetime,
  { build, json = false }: BackendOptions,
): Promise<McpBackend> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return serve(t, async (request, response, body) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: json,
        eventStore: createEventStore(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    if (!known) {
      if (request.headers['mcp-session-id'] !== undefined) {
        response.writeHead(404).end();
        return;
      }
      const server = new McpServer(
        { name: 'backend', version: '1.0.0' },
        { capabilities: { logging: {} } },
      );
      build(server);
      await server.connect(transport as Transport);
    }
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  });
}

/** Starts a server whose every answer the test writes itself. */
export async function serve(
  t: TestLifetime,
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Promise<McpBackend> {
  const received: Received[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ method: request.method ?? '', headers: request.headers, body });
      void answer(request, response, body);
    });
  });
  const url = await addressOf(t, http.listen(0, '127.0.0.1'));
  return { url: `${url}/mcp`, received };
}

/** Starts a gateway with the server at `/mcp/tools`. */
export function startGuard(
  t: TestLifetime,
  { url }: McpBackend,
  keys = '',
  options: WorldOptions = {},
): Promise<GatewayWorld> {
  return startGateway(t, configuration(url, keys), options);
}

/** The configuration of {@link startGuard}. */
export function configuration(url: string, keys = ''): string {
  return `${LOOPBACK}mcp: {servers: {tools: {url: '${url}'${keys && `, ${keys}`}}}}\n`;
}

/** Connects a client through the gateway. */
export async function connect(
  t: TestLifetime,
  { url, token }: Pick<GatewayWorld, 'url' | 'token'>,
  prepare: (client: Client) => void = () => undefined,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const client = new Client(
    { name: 'client', version: '1.0.0' },
    { capabilities: { sampling: {} } },
  );
  prepare(client);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/tools`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport);
  t.after(() => client.close());
  return { client, transport };
}

/** Sends a body through the gateway without a client. */
export async function send(
  { url, token }: Pick<GatewayWorld, 'url' | 'token'>,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${url}/mcp/tools`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...init.headers,
    },
  });
}

function createEventStore() {
  const events: {
    readonly stream: string;
    readonly id: string;
    readonly message: JSONRPCMessage;
  }[] = [];
  return {
    async storeEvent(stream: string, message: JSONRPCMessage) {
      const id = `${stream}/${events.length}`;
      events.push({ stream, id, message });
      return id;
    },
    async replayEventsAfter(
      last: string,
      { send: replay }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
    ) {
      const at = events.findIndex(({ id }) => id === last);
      const stream = events[at]?.stream ?? '';
      for (const event of events.slice(at + 1)) {
        if (event.stream === stream) await replay(event.id, event.message);
      }
      return stream;
    },
  };
}

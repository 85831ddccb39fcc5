import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { McpServerConfig } from '../config/mcp-keys.ts';

/** Headers of the protocol that go on to the server. */
const TO_SERVER = ['mcp-protocol-version', 'last-event-id'] as const;

/** What is sent to a server. */
interface UpstreamRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The id of the session, as the server knows it. */
  readonly sessionId: string | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the server is told of the trace. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
}

/** What a server answers. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly type: 'json' | 'events' | 'none';
  /** The id that the server has given the session. */
  readonly sessionId: string | undefined;
  readonly body: Readable;
}

/** Calls MCP servers; redirects are not followed. */
export interface McpUpstream {
  /** @throws Error when the server cannot be reached, or does not begin to answer in time */
  send(server: McpServerConfig, request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Resolves when no connection is open. */
  close(): Promise<void>;
}

/** Creates what calls MCP servers; connections are kept over reloads. */
export function createMcpUpstream(): McpUpstream {
  let agent: Agent | undefined;
  return {
    async send(server, { method, headers, sessionId, body, signal, trace }) {
      // Streams may be silent for as long as they like.
      agent ??= new Agent({ bodyTimeout: 0 });
      const passed = TO_SERVER.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      });
      const answer = await request(server.url, {
        method,
        dispatcher: agent,
        headersTimeout: server.timeout_ms,
        headers: {
          ...Object.fromEntries(passed),
          ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
          ...trace,
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(server.authorization !== undefined && { authorization: server.authorization }),
        },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      // One that is not read to its end is destroyed, which is an error of the stream.
      answer.body.on('error', () => undefined);
      const type = String(answer.headers['content-type'] ?? '').toLowerCase();
      const session = answer.headers['mcp-session-id'];
      return {
        status: answer.statusCode,
        type: typeOf(type),
        sessionId: typeof session === 'string' ? session : undefined,
        body: answer.body,
      };
    },
    async close() {
      await agent?.close();
    },
  };
}

function typeOf(contentType: string): UpstreamAnswer['type'] {
  if (contentType.startsWith('application/json')) return 'json';
  return contentType.startsWith('text/event-stream') ? 'events' : 'none';
}

/**
 * Reads a body.
 *
 * @throws Error when it is longer than `limit` bytes
 */
export async function readUpTo(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    if (length > limit) throw new Error(`the answer is larger than ${limit} bytes`);
    chunks.push(chunk as Buffer);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

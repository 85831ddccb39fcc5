import type { McpServerConfig } from '../config/mcp-keys.ts';
import type { TraceSpan } from './tracing.ts';

/** Begins the span of a request to an MCP server; it ends when the server begins to answer. */
export function startMcpCall(
  parent: TraceSpan | undefined,
  { url }: McpServerConfig,
  method: string,
): TraceSpan | undefined {
  if (!parent?.isRecorded) return parent?.child(method);
  const { hostname, port, protocol } = new URL(url);
  return parent.child(method, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    },
  });
}

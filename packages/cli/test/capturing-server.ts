import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestLifetime } from '@probity/test-support';

/** A request as it arrived. */
export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What is answered; 200 by default. A promise that never resolves is a server that hangs. */
export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CapturingServer {
  readonly url: string;
  readonly requests: readonly CapturedRequest[];
}

/** Answers every request by a function, and keeps all that arrived. */
export async function startCapturingServer(
  test: TestLifetime,
  answer: (request: CapturedRequest) => Reply | Promise<Reply>,
): Promise<CapturingServer> {
  const requests: CapturedRequest[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    requests.push(request);
    const { status = 200, body = {}, headers: own = {} } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...own });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A page of a list. */
export function pageOf(items: readonly unknown[], total = items.length): unknown {
  return { data: items, total, limit: 50, offset: 0, has_more: false };
}

/** The organizations of a key. */
export function organizations(id = 'org_1'): unknown {
  const organization = {
    id,
    name: 'Acme',
    slug: 'acme',
    plan: 'enterprise',
    created_at: '2026-01-01T00:00:00.000Z',
    members_count: 1,
    gateway_instances: 0,
    sentinel_agents: 0,
  };
  return { organizations: [organization], total: 1, limit: 10, offset: 0, has_more: false };
}

/** Whose a key is. */
export function caller(organizationId = 'org_1'): unknown {
  const permissions = ['evidence:read'];
  const own = { organizationId, memberId: 'mem_1', credential: 'key', role: 'admin' };
  return { data: { ...own, plan: 'enterprise', permissions } };
}

/** An error of the general API. */
export function errorReply(status: number, code: string, message: string): Reply {
  return {
    status,
    body: { error: { code, message, statusCode: status, requestId: 'req_12345678' } },
  };
}

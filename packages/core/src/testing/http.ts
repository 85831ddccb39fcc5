import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import Koa from 'koa';
import type { Principal } from '../context.ts';
import type { Role } from '../contract/permissions.ts';
import { ROLES } from '../contract/permissions.ts';
import type { AuthenticateToken } from '../http/authentication.ts';
import type { Metrics } from '../metrics.ts';
import { silentMetrics } from '../metrics.ts';

/** The part of node:test's context that cleans up after a test. */
export interface TestLifetime {
  after(callback: () => unknown): void;
}

/** An answered request as routers report it. */
export interface ReportedRequest {
  readonly method: string;
  /** The route's path with parameters in braces. */
  readonly path: string;
  readonly status: number;
}

/** Collects the requests that routers report, and their durations in seconds. */
export function collectRequests(onRequest: (request: ReportedRequest) => void = () => undefined): {
  readonly metrics: Metrics;
  readonly requests: ReportedRequest[];
  readonly durations: number[];
} {
  const requests: ReportedRequest[] = [];
  const durations: number[] = [];
  const metrics: Metrics = {
    ...silentMetrics,
    count(_metric, { method, path, status }) {
      const request = { method: String(method), path: String(path), status: Number(status) };
      requests.push(request);
      onRequest(request);
    },
    observe: (_metric, _labels, value) => void durations.push(value),
  };
  return { metrics, requests, durations };
}

/** Accepts tokens of the form `<role>.<organization>`, such as `owner.org_1`. */
export const authenticateByRole: AuthenticateToken = async ({ token }) => {
  const [role, organizationId] = token?.split('.') ?? [];
  if (!ROLES.includes(role as Role) || !organizationId) return null;
  const principal: Principal = {
    organizationId,
    memberId: `mem_${role}`,
    keyId: `key_${token}`,
    role: role as Role,
    plan: 'enterprise',
  };
  return principal;
};

/** Headers of a request by a role of the organization `org_1`, for {@link authenticateByRole}. */
export function as(role: Role, headers: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${role}.org_1`, ...headers };
}

/** A handler under test: a router, or Koa middleware. */
export type Served = Router | Middleware;

/** Creates a Koa application of these handlers. */
export function koaOf(...parts: Served[]): Koa {
  const app = new Koa();
  app.silent = true;
  for (const part of parts) app.use('routes' in part ? part.routes() : part);
  return app;
}

/** Serves these handlers on a Koa application as a host would; returns its URL. */
export async function serveKoa(test: TestLifetime, ...parts: Served[]): Promise<string> {
  return addressOf(test, koaOf(...parts).listen(0, '127.0.0.1'));
}

/** Waits until a server listens; returns its URL, and closes it after the test. */
export async function addressOf(test: TestLifetime, server: Server): Promise<string> {
  // A server that closes idle connections fails a client that reuses one after a long pause.
  server.keepAliveTimeout = 0;
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

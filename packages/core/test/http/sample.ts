import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { TestLifetime } from '@probity/test-support';
import type { Middleware } from 'koa';
import Koa from 'koa';
import { z } from 'zod';
import type { Principal } from '../../src/context.ts';
import type { ErrorDialect } from '../../src/http/dialect.ts';
import { generalDialect } from '../../src/http/dialect.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import type { RouterOptions } from '../../src/http/router.ts';
import { createEndpointRouter } from '../../src/http/router.ts';
import { pageQuery } from '../../src/http/schemas.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { Role } from '../../src/permissions.ts';
import { ROLES } from '../../src/permissions.ts';
import type { Authenticate } from '../../src/platform/authentication.ts';

/** Base of the addresses that services under test hand out. */
export const BASE_URL = 'https://probity.example.com';

/** Accepts tokens of the form `<role>.<organization>`, such as `owner.org_1`. */
export const authenticateByRole: Authenticate = async (token) => {
  const [role, organizationId] = token.split('.');
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

/** Headers of a request by a role of the organization `org_1`. */
export function as(role: Role, headers: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${role}.org_1`, ...headers };
}

/** Headers of a JSON request by the owner. */
export const asOwnerJson = as('owner', { 'content-type': 'application/json' });

const shared = { tag: 'Things', rateLimit: 'general', responses: {} } as const;
const thing = z.strictObject({
  name: z.string().min(1).max(10),
  tags: z.array(z.string().max(3)).optional(),
  parent: z.strictObject({ id: z.string() }).optional(),
});

/** Endpoints of every kind, over nothing; `/slow` answers when `wait` resolves. */
export function sampleEndpoints(wait: () => Promise<void> = async () => undefined): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/things',
      operationId: 'listThings',
      summary: 'List',
      permission: 'alerts:read',
      query: pageQuery,
      handler: async ({ query, context }) => ({
        status: 200,
        body: { query, requestId: context.requestId, address: context.address },
      }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/things',
      operationId: 'createThing',
      summary: 'Create',
      permission: 'webhooks:write',
      body: thing,
      handler: async ({ body }) => ({ status: 201, body, headers: { Location: '/things/1' } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/things/{thing_id}',
      operationId: 'getThing',
      summary: 'Get',
      permission: 'alerts:read',
      params: z.strictObject({ thing_id: z.string() }),
      handler: async ({ params }) => ({ status: 200, body: params }),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/things/{thing_id}',
      operationId: 'deleteThing',
      summary: 'Delete',
      permission: 'webhooks:write',
      params: z.strictObject({ thing_id: z.string() }),
      handler: async () => ({ status: 204 }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/things/{thing_id}/wake',
      operationId: 'wakeThing',
      summary: 'Needs no body',
      permission: 'webhooks:write',
      params: z.strictObject({ thing_id: z.string() }),
      handler: async ({ body }) => ({ status: 200, body: { body: body ?? null } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/organizations/{org_id}/things',
      operationId: 'listThingsOfOrganization',
      summary: 'List',
      permission: 'webhooks:write',
      params: z.strictObject({ org_id: z.string() }),
      handler: async () => ({ status: 200, body: {} }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/open',
      operationId: 'getOpen',
      summary: 'Public',
      permission: 'public',
      rateLimit: 'none',
      handler: async () => ({ status: 200, body: { open: true } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/broken',
      operationId: 'getBroken',
      summary: 'Fails',
      permission: 'alerts:read',
      handler: () => Promise.reject(new Error('password=hunter2')),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/slow',
      operationId: 'getSlow',
      summary: 'Waits',
      permission: 'public',
      rateLimit: 'none',
      handler: () => wait().then(() => ({ status: 200, body: { slow: true } })),
    }),
  ];
}

/** A router over the sample endpoints with authentication by role. */
export function sampleRouter(
  options: Partial<RouterOptions> = {},
  dialect: ErrorDialect = generalDialect,
  endpoints: readonly Endpoint[] = sampleEndpoints(),
): Middleware {
  return createEndpointRouter(endpoints, dialect, { authenticate: authenticateByRole, ...options });
}

/** A Koa application of these middlewares. */
export function koaOf(...middlewares: Middleware[]): Koa {
  const app = new Koa();
  app.silent = true;
  for (const middleware of middlewares) app.use(middleware);
  return app;
}

/** Serves middlewares on a Koa application as any host would; answers its address. */
export async function serveKoa(test: TestLifetime, ...middlewares: Middleware[]): Promise<string> {
  return addressOf(test, koaOf(...middlewares).listen(0, '127.0.0.1'));
}

/** Waits until a server listens; answers its address, and closes it after the test. */
export async function addressOf(test: TestLifetime, server: Server): Promise<string> {
  // A server that ends idle connections fails a client that is just using one after a long pause.
  server.keepAliveTimeout = 0;
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves middlewares by {@link createHttpServer}. */
export async function serveKit(
  test: TestLifetime,
  middlewares: readonly Middleware[],
  options: { headersTimeoutMs?: number; requestTimeoutMs?: number } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createHttpServer({
    handler: koaOf(...middlewares).callback(),
    host: '127.0.0.1',
    port: 0,
    dialectOf: () => generalDialect,
    ...options,
  });
  const url = await server.start();
  test.after(() => server.stop());
  return { url, stop: () => server.stop() };
}

/** Sends raw text and answers everything that came back until the server closed. */
export function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

/** The error of an answer in the form of the general API. */
export interface GeneralError {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly requestId: string;
  readonly details?: ReadonlyArray<{ field: string; message: string }>;
}

/** Reads an error of the general API. */
export async function errorOf(response: Response): Promise<GeneralError> {
  return ((await response.json()) as { error: GeneralError }).error;
}

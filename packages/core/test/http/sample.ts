import { connect } from 'node:net';
import type { TestLifetime } from '@probity/test-support';
import type { Middleware } from 'koa';
import { z } from 'zod';
import type { ErrorDialect } from '../../src/http/dialect.ts';
import { generalDialect } from '../../src/http/dialect.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import type { RouterOptions } from '../../src/http/router.ts';
import { createEndpointRouter } from '../../src/http/router.ts';
import { pageQuery } from '../../src/http/schemas.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { as, authenticateByRole, koaOf } from '../../src/testing/http.ts';

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

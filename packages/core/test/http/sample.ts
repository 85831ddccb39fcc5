import { connect } from 'node:net';
import type { Router } from '@koa/router';
import type { TestLifetime } from '@probity/test-support';
import type { Middleware } from 'koa';
import { z } from 'zod';
import { systemClock } from '../../src/clock.ts';
import { createApplicationMiddleware } from '../../src/http/application.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import type { ErrorFormat } from '../../src/http/error-format.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createEndpointRouter } from '../../src/http/router.ts';
import type { RouterOptions } from '../../src/http/router-options.ts';
import { pageQuery } from '../../src/http/schemas.ts';
import type { HttpServerOptions } from '../../src/http/server.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { Served } from '../../src/testing/http.ts';
import { as, authenticateByRole, koaOf } from '../../src/testing/http.ts';

/** Headers of a JSON request by the owner. */
export const asOwnerJson = as('owner', { 'content-type': 'application/json' });

const shared = { tag: 'Things', rateLimit: 'general' } as const;
const thing = z.strictObject({
  name: z.string().min(1).max(10),
  tags: z.array(z.string().max(3)).optional(),
  parent: z.strictObject({ id: z.string() }).optional(),
});

const thingParams = z.strictObject({ thing_id: z.string() });

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
      responses: {
        200: {
          description: 'What the handler was given',
          schema: z.strictObject({
            query: z.strictObject({ limit: z.int(), offset: z.int() }),
            requestId: z.string(),
            address: z.string().nullable(),
          }),
        },
      },
      handler: async ({ query, context, reply }) =>
        reply(200, { query, requestId: context.requestId, address: context.address }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/things',
      operationId: 'createThing',
      summary: 'Create',
      permission: 'webhooks:write',
      body: thing,
      responses: { 201: { description: 'What was sent', schema: thing } },
      handler: async ({ body, reply }) => reply(201, body, { headers: { Location: '/things/1' } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/things/{thing_id}',
      operationId: 'getThing',
      summary: 'Get',
      permission: 'alerts:read',
      params: thingParams,
      responses: { 200: { description: 'The parameters', schema: thingParams } },
      handler: async ({ params, reply }) => reply(200, params),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/things/{thing_id}',
      operationId: 'deleteThing',
      summary: 'Delete',
      permission: 'webhooks:write',
      params: thingParams,
      responses: { 204: { description: 'Nothing' } },
      handler: async ({ reply }) => reply(204),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/things/{thing_id}/wake',
      operationId: 'wakeThing',
      summary: 'Needs no body',
      permission: 'webhooks:write',
      params: thingParams,
      responses: {
        200: { description: 'The body', schema: z.strictObject({ body: z.null() }) },
      },
      handler: async ({ body, reply }) => reply(200, { body: body ?? null }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/organizations/{org_id}/things',
      operationId: 'listThingsOfOrganization',
      summary: 'List',
      permission: 'webhooks:write',
      params: z.strictObject({ org_id: z.string() }),
      responses: { 200: { description: 'Nothing', schema: z.strictObject({}) } },
      handler: async ({ reply }) => reply(200, {}),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/open',
      operationId: 'getOpen',
      summary: 'Public',
      permission: 'public',
      rateLimit: 'none',
      responses: { 200: { description: 'Open', schema: z.strictObject({ open: z.boolean() }) } },
      handler: async ({ reply }) => reply(200, { open: true }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/broken',
      operationId: 'getBroken',
      summary: 'Fails',
      permission: 'alerts:read',
      responses: {},
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
      responses: { 200: { description: 'Slow', schema: z.strictObject({ slow: z.boolean() }) } },
      handler: ({ reply }) => wait().then(() => reply(200, { slow: true })),
    }),
  ];
}

/** A router over the sample endpoints with authentication by role, which checks its answers. */
export function sampleRouter(
  options: Partial<RouterOptions> = {},
  errorFormat: ErrorFormat = generalErrors,
  endpoints: readonly Endpoint[] = sampleEndpoints(),
): Router {
  const authenticate = authenticateByRole;
  return createEndpointRouter(endpoints, errorFormat, {
    authenticate,
    checkReplies: true,
    ...options,
  });
}

/** The outermost middleware of an application that consists of endpoints only. */
export function ownApplication(): Middleware {
  return createApplicationMiddleware({
    errorFormatOf: () => generalErrors,
    clock: systemClock,
    ids: createIds(),
    logger: silentLogger,
  });
}

/** Serves these parts by {@link createHttpServer}. */
export async function serveKit(
  test: TestLifetime,
  parts: readonly Served[],
  options: Partial<HttpServerOptions> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createHttpServer({
    handler: koaOf(...parts).callback(),
    host: '127.0.0.1',
    port: 0,
    errorFormatOf: () => generalErrors,
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

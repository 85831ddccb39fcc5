import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createEndpointRouter } from '../../src/http/router.ts';
import { secretText } from '../../src/http/secret-fields.ts';
import { serveKoa } from '../../src/testing/http.ts';

const shared = {
  method: 'GET',
  summary: 'Get',
  tag: 'Things',
  permission: 'public',
  rateLimit: 'none',
} as const;
const issued = z.strictObject({ token: secretText().describe('Once.') }).meta({ id: 'Issued' });

const secret = endpoint({
  ...shared,
  path: '/secret',
  operationId: 'getSecret',
  responses: {
    200: { description: 'A secret', schema: z.strictObject({ data: z.array(issued.nullable()) }) },
  },
  handler: async ({ reply }) =>
    reply(200, { data: [{ token: 'x' }] }, { headers: { 'Cache-Control': 'private' } }),
});

const plain = endpoint({
  ...shared,
  path: '/plain',
  operationId: 'getPlain',
  responses: { 200: { description: 'No secret', schema: z.strictObject({ token: z.string() }) } },
  handler: async ({ reply }) => reply(200, { token: 'x' }),
});

const router = (endpoints: readonly Endpoint[]) =>
  createEndpointRouter(endpoints, generalErrors, { authenticate: () => null });

test('a response that declares a secret, however deep, is not stored by anybody', async (t) => {
  const url = await serveKoa(t, router([secret, plain]));
  const header = async (path: string) => (await fetch(url + path)).headers.get('cache-control');
  assert.equal(await header('/secret'), 'no-store');
  assert.equal(await header('/plain'), null);
});

test('an endpoint cannot declare caching and a secret in its response', () => {
  assert.throws(() => router([{ ...secret, caching: 'revalidate' }]), /getSecret declares caching/);
});

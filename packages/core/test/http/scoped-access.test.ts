import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Grant } from '../../src/context.ts';
import { DEFAULT_RATE_LIMITS } from '../../src/contract/rate-limits.ts';
import type { Endpoint, ScopedAccess } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createEndpointRouter } from '../../src/http/router.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limit.ts';
import { serveRouter } from '../../src/testing/serve-router.ts';

const byThing = { byParameter: 'thing_id', kind: 'thing' } as const;

function thing(path: string, scoped?: ScopedAccess): Endpoint {
  return endpoint({
    method: 'GET',
    path,
    operationId: `get${path}`,
    summary: 'Get a thing',
    tag: 'Things',
    permission: 'webhooks:write',
    rateLimit: 'general',
    ...(path.includes('{') ? { params: z.strictObject({ thing_id: z.string() }) } : {}),
    ...(scoped && { scoped }),
    responses: { 200: { description: 'Who asked', schema: z.strictObject({ by: z.string() }) } },
    handler: async ({ context, reply }) => reply(200, { by: context.principal.memberId }),
  });
}

const ENDPOINTS = [
  thing('/closed/{thing_id}'),
  thing('/open', { scope: 'webhooks:view' }),
  thing('/listed', { scope: 'webhooks:view', resources: 'by the handler' }),
  thing('/types', { scope: 'webhooks:view', resources: 'none are used' }),
  thing('/things/{thing_id}', { scope: 'webhooks:view', resources: byThing }),
  thing('/secrets/{thing_id}', { scope: 'webhooks:secret', resources: byThing }),
];

async function serve(t: TestContext, grant: Grant | undefined, role: 'admin' | 'viewer' = 'admin') {
  const limits = { ...DEFAULT_RATE_LIMITS, general: { requests: 20, windowSeconds: 60 } };
  const router = createEndpointRouter(ENDPOINTS, generalErrors, {
    authenticate: ({ token }) => ({
      ...{ organizationId: 'acme', memberId: 'ann', keyId: token ?? '', role, plan: 'free' },
      grant,
    }),
    checkReplies: true,
    rateLimits: { limiter: createMemoryRateLimiter(), limits },
  });
  const call = await serveRouter<{ error?: { message: string } }>(t, router, { token: 'one' });
  return { call, statusOf: async (path: string) => (await call('GET', path)).status };
}

describe('a credential of limited scope', () => {
  it('calls the endpoints that declare its scope and no others', async (t) => {
    const { call, statusOf } = await serve(t, { scopes: ['webhooks:view'], resourceIds: null });
    for (const path of ['/open', '/listed', '/types', '/things/1', '/things/2']) {
      assert.equal(await statusOf(path), 200, path);
    }
    assert.equal(await statusOf('/closed/1'), 403);
    const refused = await call('GET', '/secrets/1');
    assert.equal(refused.status, 403);
    assert.match(refused.body.error?.message ?? '', /needs the scope webhooks:secret/);
  });

  it('calls nothing without a scope', async (t) => {
    const { statusOf } = await serve(t, { scopes: [], resourceIds: null });
    for (const path of ['/closed/1', '/open', '/listed', '/types', '/things/1', '/secrets/1']) {
      assert.equal(await statusOf(path), 403, path);
    }
  });

  it('has no more rights than its role', async (t) => {
    const grant = { scopes: ['webhooks:view'], resourceIds: null } as const;
    const { statusOf } = await serve(t, grant, 'viewer');
    assert.equal(await statusOf('/open'), 403);
  });

  it('is kept to its resources, also where an endpoint does not say how', async (t) => {
    const grant = { scopes: ['webhooks:view'], resourceIds: ['1', '%2'] } as const;
    const { statusOf } = await serve(t, grant);
    const found = ['/things/1', '/things/%31', '/things/%252', '/things/2', '/open', '/listed'];
    const statuses = [200, 200, 200, 404, 403, 200];
    for (const [index, path] of [...found, '/types'].entries()) {
      assert.equal(await statusOf(path), statuses[index] ?? 200, path);
    }
    const none = await serve(t, { ...grant, resourceIds: [] });
    assert.equal(await none.statusOf('/things/1'), 404);
  });
});

it('a credential without a grant is not limited', async (t) => {
  const { statusOf } = await serve(t, undefined);
  for (const path of ['/closed/1', '/open', '/things/2', '/secrets/1']) {
    assert.equal(await statusOf(path), 200, path);
  }
});

it('an endpoint that names resources by a parameter that its path lacks is refused', () => {
  const wrong = thing('/things', { scope: 'webhooks:view', resources: byThing });
  assert.throws(
    () => createEndpointRouter([wrong], generalErrors, { authenticate: () => null }),
    /names resources by \{thing_id\}, which its path does not have/,
  );
});

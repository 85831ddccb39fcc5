import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase, hasPermission, ROLES } from '@probity/core';
import type { AuthenticateToken } from '@probity/core/internal';
import type { Endpoint } from '@probity/core/koa';
import {
  createEndpointRouter,
  platformErrors,
  probeEndpoints,
  statusEndpoints,
} from '@probity/core/koa';
import { as, authenticateByRole, serveKoa } from '@probity/core/testing';
import { platformEndpoints } from '../../src/http.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import { createPlatform } from '../../src/platform.ts';
import { BASE_URL, testRuntime } from '../support.ts';

/** Every platform endpoint, with a handler that only confirms that the request reached it. */
function reachable(): Endpoint[] {
  const database = createMemoryDatabase();
  const storage = createMemoryPlatformStorage(database);
  const all = [
    ...platformEndpoints(
      createPlatform(testRuntime({ database }), { storage, baseUrl: () => BASE_URL }),
    ),
    ...statusEndpoints([]),
    ...probeEndpoints([], () => new Date()),
  ];
  return all.map(({ params: _, query: __, body: ___, ...rest }) => ({
    ...rest,
    responses: {},
    handler: async ({ reply }) => reply(299),
  }));
}

const endpoints = reachable();

/** As `authenticateByRole`, as the session of a person. */
const authenticateSession: AuthenticateToken = async (presented) => {
  const principal = await authenticateByRole(presented);
  return principal && { ...principal, sessionId: 'ses_1' };
};

function pathFor({ path }: Endpoint, organizationId: string): string {
  return path.replace('{org_id}', organizationId).replace(/\{\w+\}/g, 'some_id');
}

for (const declaration of endpoints) {
  const { method, path, permission } = declaration;
  for (const role of ROLES) {
    const allowed = permission === 'public' || hasPermission(role, permission);
    test(`${role} ${allowed ? 'may' : 'may not'} ${method} ${path}`, async (t) => {
      const router = createEndpointRouter(endpoints, platformErrors, {
        authenticate: declaration.callers === 'people' ? authenticateSession : authenticateByRole,
      });
      const url = await serveKoa(t, router);
      const response = await fetch(url + pathFor(declaration, 'org_1'), {
        method,
        headers: as(role),
      });
      assert.equal(response.status, allowed ? 299 : 403);
      await response.arrayBuffer();
    });
  }

  if (permission === 'public') continue;

  if (path.startsWith('/auth/')) {
    test(`${method} ${path} refuses an API key of any role`, async (t) => {
      const router = createEndpointRouter(endpoints, platformErrors, {
        authenticate: authenticateByRole,
      });
      const url = await serveKoa(t, router);
      for (const role of ROLES) {
        const sent = await fetch(url + pathFor(declaration, 'org_1'), {
          method,
          headers: as(role),
        });
        assert.equal(sent.status, 403, role);
        assert.match(await sent.text(), /sign-in session/);
      }
    });
  }

  test(`${method} ${path} is refused without a key, and for another organization's key`, async (t) => {
    const router = createEndpointRouter(endpoints, platformErrors, {
      authenticate: authenticateByRole,
    });
    const url = await serveKoa(t, router);
    assert.equal((await fetch(url + pathFor(declaration, 'org_1'), { method })).status, 401);
    if (!path.includes('{org_id}')) return;
    for (const role of ROLES) {
      const foreign = await fetch(url + pathFor(declaration, 'org_2'), {
        method,
        headers: as(role),
      });
      assert.equal(foreign.status, 404, role);
      await foreign.arrayBuffer();
    }
  });
}

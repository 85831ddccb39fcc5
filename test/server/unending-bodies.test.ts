import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { it } from 'node:test';
import {
  createMaintenance,
  createMemoryDatabase,
  createRuntime,
  createSecretBox,
  DEFAULT_RATE_LIMITS,
  systemRandom,
} from '@probity/core';
import { createBodyBudget, createMemoryMaintenanceStorage } from '@probity/core/internal';
import { createEndpointMiddleware, createHttpServer, createProgramGroups } from '@probity/core/koa';
import { createPostgresDatabase } from '@probity/core/sql';
import { koaOf } from '@probity/core/testing';
import { createCapabilities, readConfig } from '@probity/standalone';

const KIB = 1_024;
/** Of a budget of 32 KiB a client address has a half: one body fits into it, and a second one does not. */
const BUDGET = 32 * KIB;
const SENT = 10 * KIB;
/** Operations that keep nothing of what arrives. */
const STREAMED = new Set(['importNuggets']);

/** All endpoints of the server, on a database that is never used. */
function serverGroups(t: TestContext) {
  const database = createPostgresDatabase({ url: 'postgres://unused.invalid/unused' });
  t.after(() => database.close());
  const runtime = createRuntime({ database, secretBox: createSecretBox([systemRandom(32)]) });
  const { clock } = runtime;
  const baseUrl = () => 'https://probity.example.com';
  const { all } = createCapabilities({ runtime, database, config: readConfig({}, {}), baseUrl });
  const storage = createMemoryMaintenanceStorage(createMemoryDatabase());
  const maintenance = createMaintenance({ storage, clock });
  return createProgramGroups(all, { maintenance, checks: [], clock, baseUrl } as never);
}

/** Serves the endpoints of the groups with one small budget, to a person who may do everything. */
async function serve(t: TestContext, groups: ReturnType<typeof serverGroups>): Promise<string> {
  const bodyBudget = createBodyBudget(BUDGET);
  const authenticate = () => ({
    ...{ organizationId: 'org_1', memberId: 'mem_1', role: 'owner', plan: 'enterprise' },
    sessionId: 'ses_1',
    session: { id: 'ses_1', secret: 's', csrfToken: 'c' },
  });
  const allowed = { allowed: true, limit: 1, remaining: 1, resetAfterMs: 0, retryAfterMs: 0 };
  const rateLimits = { limiter: { consume: async () => allowed }, limits: DEFAULT_RATE_LIMITS };
  const app = koaOf(
    ...groups.map(({ prefix, errorFormat, endpoints }) => {
      const options = { authenticate, bodyBudget, prefix, rateLimits };
      return createEndpointMiddleware(endpoints, errorFormat, options as never);
    }),
  );
  const server = createHttpServer({
    ...{ handler: app.callback(), host: '127.0.0.1', port: 0 },
    errorFormatOf: (path) =>
      (groups.find(({ prefix }) => path.startsWith(prefix)) ?? groups[0])?.errorFormat as never,
  });
  const url = await server.start();
  t.after(() => server.stop());
  return url;
}

/** Sends the beginning of a body that never ends. */
function begin(url: string, method: string, type: string): ClientRequest {
  const headers = {
    ...{ Authorization: 'Bearer key', 'Content-Type': type, 'Content-Length': 15 * KIB },
    'x-csrf-token': 'c',
  };
  const outgoing = request(url, { method, headers });
  outgoing.on('error', () => undefined);
  outgoing.write(`{"response":"${'x'.repeat(SENT - 13)}`);
  return outgoing;
}

it('every endpoint of the server counts a body that does not end', {
  timeout: 120_000,
}, async (t) => {
  const groups = serverGroups(t);
  const url = await serve(t, groups);
  const odd: string[] = [];
  let tried = 0;
  for (const { prefix, errorFormat, endpoints } of groups) {
    for (const { method, path, operationId, body, accepts } of endpoints) {
      if (body === undefined || STREAMED.has(operationId)) continue;
      const types = 'kind' in body ? body.types : (accepts ?? errorFormat.accepts);
      const place = `${url}${prefix}${path.replaceAll('{org_id}', 'org_1').replaceAll(/\{\w+\}/g, 'x')}`;
      const open = [1, 2].map(() => begin(place, method, types[0] ?? 'application/json'));
      const refused = await Promise.race(
        open.map((each) => once(each, 'response').then(([{ statusCode }]) => statusCode)),
      );
      for (const each of open) each.destroy();
      if (refused !== 503) odd.push(`${operationId}: ${refused}`);
      tried += 1;
    }
  }
  assert.deepEqual(odd, []);
  assert.ok(tried > 40, String(tried));
});

import assert from 'node:assert/strict';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { it, test } from 'node:test';
import type { Logger, RateLimit } from '@probity/core';
import { createIds, silentLogger } from '@probity/core';
import { createRateLimiter } from '@probity/standalone/internal';
import {
  acquireRedis,
  PATIENCE_MS,
  redisMissing,
  temporaryFolder,
  until,
} from '@probity/test-support';
import { bootstrap, call, serve, setPassword } from './support.ts';

/** Probes and documents; all other operations are limited. */
const UNLIMITED = [
  ...['getHealth', 'getOpenApiDocument', 'getReadiness', 'getReferencePage', 'getServiceIndex'],
  'getStatus',
];
const HEADERS = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['RateLimit-Policy', 'RateLimit'],
];

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { $ref?: string; headers?: Record<string, unknown> }>;
}

test('every operation except probes is rate-limited, and the OpenAPI document declares its headers', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const { body } = await call(`${url}/openapi.json`, null);
  const operations = Object.values(body.paths).flatMap((path) => Object.values(path as object));
  const unlimited: string[] = [];
  for (const { operationId, responses } of operations as Operation[]) {
    const reference = responses['429']?.$ref;
    if (!reference) {
      unlimited.push(operationId);
      continue;
    }
    const refusal = body.components.responses[reference.split('/').at(-1) ?? ''];
    const success = Object.entries(responses).find(([status]) => status < '300')?.[1];
    // `/Me` of SCIM never succeeds.
    for (const name of success ? HEADERS : []) {
      assert.ok(success?.headers?.[name] && refusal.headers?.[name], `${operationId}: ${name}`);
    }
    assert.ok(refusal.headers?.['Retry-After'], operationId);
  }
  assert.deepEqual(unlimited.sort(), UNLIMITED);
});

test('calls of a signed-in person are limited apart from keys and spend no quota', async (t) => {
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const owner = await bootstrap(location);
  const env = { PROBITY_RATE_LIMITS: 'platform=2/60,general=2/60,session=6/60' };
  const { url } = await serve(t, location, { env });
  const password = 'the first one of Ann';
  await setPassword(url, owner, password);
  const credentials = { email: 'ann@acme.example', password };
  const { body } = await call(`${url}/v1/auth/login`, null, 'POST', credentials);
  const usage = `${url}/v1/organizations/${owner.organization_id}/usage`;
  const session = body.access_token as string;
  const answers = [];
  for (const path of [usage, usage, usage, `${url}/api/v1/whoami`, `${url}/api/v1/whoami`, usage]) {
    answers.push(await call(path, session));
  }
  const policies = answers.map(({ headers }) => headers.get('RateLimit-Policy'));
  assert.deepEqual([...new Set(policies)], ['"session";q=6;w=60']);
  assert.equal(answers.at(-1)?.body.api_requests.used, 0);
  const refused = await call(usage, session);
  assert.deepEqual([refused.status, refused.headers.get('X-RateLimit-Limit')], [429, '6']);
  const byKey = await call(usage, owner.api_key);
  assert.equal(byKey.headers.get('RateLimit-Policy'), '"platform";q=2;w=60');
});

test('token guesses are counted by address before they are checked', async (t) => {
  const env = { PROBITY_RATE_LIMITS: 'platform=5/60' };
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`, { env });
  const statuses: number[] = [];
  for (let guess = 0; guess < 8; guess += 1) {
    const body = { token: `pin_${'x'.repeat(37)}${guess}` };
    const answer = await call(`${url}/v1/invitations/accept`, null, 'POST', body);
    statuses.push(answer.status);
    assert.match(answer.headers.get('ratelimit') ?? '', /^"platform";r=\d;t=\d+$/);
  }
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429, 429]);
});

/** A connection to Redis that can be cut. */
async function startRedisPath(t: TestContext) {
  const { hostname, port } = new URL((await acquireRedis()).url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((inbound) => {
    if (isCut) return inbound.destroy();
    const outbound = connect(Number(port), hostname);
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (cuts: boolean) => {
    isCut = cuts;
    if (cuts) for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    cut(true);
    server.close();
  });
  return { url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`, cut };
}

it('a Redis outage neither blocks nor unlimits callers, and is logged', {
  skip: redisMissing(),
}, async (t) => {
  const path = await startRedisPath(t);
  const ids = createIds();
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message.split(';')[0] as string);
  const logger: Logger = { ...silentLogger, info: note, warn: note };
  // On a busy machine a working Redis may answer late.
  const options = { ids, logger, commandTimeoutMs: PATIENCE_MS };
  const one = await createRateLimiter(path.url, options);
  const other = await createRateLimiter(path.url, options);
  for (const { parts } of [one, other]) {
    for (const part of parts) {
      await part.start();
      t.after(() => part.stop());
    }
  }
  const limit: RateLimit = { requests: 20, windowSeconds: 600 };
  const key = ids.next('key');
  const allowed = async ({ limiter }: typeof one, count: number) => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      if ((await limiter.consume(key, limit)).allowed) sum += 1;
    }
    return sum;
  };
  assert.deepEqual([await allowed(one, 5), await allowed(other, 5)], [5, 5]);
  path.cut(true);
  // Requests it allowed itself still count; those allowed by the other instance are unknown to it.
  assert.equal(await allowed(one, 30), 15);
  path.cut(false);
  const elsewhere = ids.next('key');
  await until(async () => {
    await one.limiter.consume(elsewhere, limit);
    return lines.includes('Redis answers again');
  }, 'Redis answers again');
  await until(async () => {
    const shared = ids.next('key');
    await one.limiter.consume(shared, limit);
    return (await other.limiter.consume(shared, limit)).remaining === limit.requests - 2;
  }, 'Redis counts for both');
  assert.equal(await allowed(one, 5), 0, 'its own count holds, although that of Redis is lower');
  assert.equal(await allowed(other, 30), 5, 'Redis counts for both again');
  assert.deepEqual(lines.slice(0, 2), ['Redis does not answer', 'Redis answers again']);
});

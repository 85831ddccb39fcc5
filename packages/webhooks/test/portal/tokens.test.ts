import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { Authenticate } from '@probity/core';
import {
  contextOf,
  createMemoryRateLimiter,
  createProbity,
  DEFAULT_RATE_LIMITS,
  silentLogger,
} from '@probity/core';
import { createTestClock } from '@probity/test-support';
import type { EventCatalog, NewPortalToken } from '../../src/index.ts';
import { webhooks } from '../../src/index.ts';

const ACME = contextOf({ organizationId: 'acme', memberId: 'ann', role: 'admin' });
const WEBHOOK = { url: 'https://8.8.8.8/hook', events: ['order.shipped'] };
const ALL = ['view', 'endpoint', 'secret', 'attempts'] as const;

const eventTypes: EventCatalog = {
  'order.shipped': { description: 'An order has left.', example: { orderId: 'ord_1' } },
  'order.paid': { description: 'An order was paid.', example: { orderId: 'ord_1' } },
};

/** An application with webhooks whose own `authenticate` accepts the token `host` only. */
async function createHost(t: TestContext) {
  const seen: Array<string | null> = [];
  const authenticate: Authenticate = ({ token }) => {
    seen.push(token);
    return token === 'host'
      ? { organizationId: 'acme', memberId: 'ann', role: 'admin' as const }
      : null;
  };
  const clock = createTestClock();
  const probity = createProbity({
    database: 'memory',
    authenticate,
    capabilities: [webhooks({ eventTypes })],
    rateLimits: {
      limiter: createMemoryRateLimiter(clock),
      limits: { ...DEFAULT_RATE_LIMITS, general: { requests: 50, windowSeconds: 60 } },
    },
    clock,
    logger: silentLogger,
  });
  t.after(() => probity.stop());
  await probity.ready();
  const send = async (method: string, path: string, token: string, body?: unknown) => {
    const request = new Request(`https://app.example/probity${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await probity.fetch(request);
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const service = probity.services.webhooks;
  const issue = (input: Partial<NewPortalToken> = {}) =>
    service.createPortalToken(ACME, { capabilities: ALL, ...input });
  return { probity, service, clock, seen, send, issue };
}

describe('a portal token in an application', () => {
  it('is recognized before authenticate of the host, which never sees it', async (t) => {
    const { send, issue, seen } = await createHost(t);
    const { token } = await issue();
    assert.equal((await send('GET', '/webhooks', token)).status, 200);
    assert.equal((await send('GET', '/webhooks', `${token}x`)).status, 401);
    assert.deepEqual(seen, []);
    assert.equal((await send('GET', '/webhooks', 'host')).status, 200);
    assert.equal((await send('GET', '/webhooks', 'other')).status, 401);
    assert.deepEqual(seen, ['host', 'other']);
  });

  it('replays only event types that its webhook lists', async (t) => {
    const { send, issue, service, clock } = await createHost(t);
    const { webhook } = await service.create(ACME, WEBHOOK);
    const { token } = await issue({ capabilities: ['attempts'], webhookIds: [webhook.id] });
    await clock.advance(1);
    const replay = (...types: string[]) =>
      send('POST', `/webhooks/${webhook.id}/replay`, token, {
        since: '2020-01-01T00:00:00Z',
        types,
      });
    const refused = await replay('order.shipped', 'order.paid');
    const message = "must be one of the webhook's event types, order.shipped";
    assert.deepEqual(
      [refused.status, refused.body.error.details],
      [422, [{ field: 'types.1', message }]],
    );
    assert.equal((await replay('order.shipped')).status, 202);
  });

  it('manages the webhooks of its organization from creation to deliveries', async (t) => {
    const { send, issue, service } = await createHost(t);
    const { token } = await issue();
    const created = await send('POST', '/webhooks', token, WEBHOOK);
    assert.equal(created.status, 201);
    assert.match(created.body.data.secret, /^whsec_/);
    const path = `/webhooks/${created.body.data.id}`;
    for (const [method, suffix, body, status] of [
      ['PATCH', '', { active: false }, 200],
      ['POST', '/rotate-secret', {}, 200],
      ['POST', '/test', {}, 202],
      ['GET', '/deliveries', undefined, 200],
      ['GET', '/stats', undefined, 200],
      ['DELETE', '', undefined, 204],
    ] as const) {
      const answer = await send(method, path + suffix, token, body);
      assert.equal(answer.status, status, `${method} ${suffix}: ${JSON.stringify(answer.body)}`);
    }
    const { total } = await service.list(ACME, { limit: 1, offset: 0 });
    assert.equal(total, 0);
  });

  it('makes and revokes no portal tokens, whatever its capabilities', async (t) => {
    const { send, issue } = await createHost(t);
    const { token, id } = await issue();
    const paths = ['/webhooks/portal-tokens', `/webhooks/portal-tokens?id=${id}`] as const;
    const made = await send('POST', paths[0], token, { capabilities: ['view'] });
    assert.equal(made.status, 403);
    for (const path of paths) assert.equal((await send('DELETE', path, token)).status, 403);
  });

  it('ends at its expiry, by revocation, and with its organization', async (t) => {
    const { probity, send, issue, service, clock } = await createHost(t);
    const isValid = async ({ token }: { token: string }) =>
      (await send('GET', '/webhooks', token)).status === 200;
    const brief = await issue({ expiresInSeconds: 60 });
    const usual = await issue();
    assert.equal(usual.expiresAt.getTime(), clock.now().getTime() + 3_600_000);
    await clock.advance(59_999);
    assert.deepEqual([await isValid(brief), await isValid(usual)], [true, true]);
    await clock.advance(1);
    assert.deepEqual([await isValid(brief), await isValid(usual)], [false, true]);
    await service.revokePortalToken(ACME, usual.id);
    assert.equal(await isValid(usual), false);
    await assert.rejects(service.revokePortalToken(ACME, usual.id), { kind: 'not_found' });
    const [first, second] = [await issue(), await issue()];
    assert.equal(await service.revokePortalTokens(contextOf({ organizationId: 'other' })), 0);
    const bob = contextOf({ organizationId: 'acme', memberId: 'bob' });
    const byBob = await service.createPortalToken(bob, { capabilities: ['view'] });
    assert.equal(await isValid(byBob), true);
    assert.equal(await service.revokePortalTokens(ACME, { memberId: 'bob' }), 1);
    assert.equal(await isValid(byBob), false);
    assert.deepEqual([await isValid(first), await isValid(second)], [true, true]);
    assert.equal(await service.revokePortalTokens(ACME), 3);
    assert.deepEqual([await isValid(first), await isValid(second)], [false, false]);
    const last = await issue();
    await probity.tenants.remove('acme');
    assert.equal((await send('GET', '/webhooks', last.token)).status, 401);
  });

  it('is listed without its text until it expires or is revoked, to the organization and to no portal token', async (t) => {
    const { send, issue, service, clock } = await createHost(t);
    const path = '/webhooks/portal-tokens';
    const { webhook } = await service.create(ACME, WEBHOOK);
    const brief = await issue({ expiresInSeconds: 60, capabilities: ['attempts', 'view'] });
    const bob = contextOf({ organizationId: 'acme', memberId: 'bob' });
    const input = { capabilities: ['view'], webhookIds: [webhook.id] } as const;
    const limited = await service.createPortalToken(bob, input);
    await service.createPortalToken(contextOf({ organizationId: 'other' }), {
      capabilities: ['view'],
    });
    const { status, body } = await send('GET', path, 'host');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      data: [
        {
          id: limited.id,
          memberId: 'bob',
          capabilities: ['view'],
          webhookIds: [webhook.id],
          createdAt: clock.now().toISOString(),
          expiresAt: limited.expiresAt.toISOString(),
        },
        {
          id: brief.id,
          memberId: 'ann',
          capabilities: ['view', 'attempts'],
          webhookIds: null,
          createdAt: clock.now().toISOString(),
          expiresAt: brief.expiresAt.toISOString(),
        },
      ],
      ...{ total: 2, limit: 50, offset: 0, has_more: false },
    });
    const idsOf = async (query = '') => {
      const answer = await send('GET', path + query, 'host');
      return answer.body.data.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await idsOf('?memberId=ann'), [brief.id]);
    assert.deepEqual(await idsOf('?limit=1&offset=1'), [brief.id]);
    for (const { token } of [brief, limited, await issue()]) {
      assert.equal((await send('GET', path, token)).status, 403);
    }
    assert.equal((await send('GET', `${path}?memberId=`, 'host')).status, 422);
    await clock.advance(60_000);
    assert.equal((await idsOf()).includes(brief.id), false);
    await service.revokePortalToken(ACME, limited.id);
    assert.deepEqual(await idsOf('?memberId=bob'), []);
  });

  it('counts against the rate limit by itself', async (t) => {
    const { send, issue } = await createHost(t);
    const [first, second] = [await issue(), await issue()];
    const statuses = new Set<number>();
    for (let index = 0; index < 51; index += 1) {
      statuses.add((await send('GET', '/webhooks', first.token)).status);
    }
    assert.deepEqual([...statuses], [200, 429]);
    assert.equal((await send('GET', '/webhooks', second.token)).status, 200);
    assert.equal((await send('GET', '/webhooks', 'host')).status, 200);
  });

  it('has a list of capabilities, a duration and webhooks that exist', async (t) => {
    const { issue, service } = await createHost(t);
    for (const input of [
      { capabilities: [] },
      { capabilities: ['all'] },
      { capabilities: 'view' },
      { expiresInSeconds: 59 },
      { expiresInSeconds: 86_401 },
      { expiresInSeconds: 60.5 },
      { expiresInSeconds: Number.NaN },
      { webhookIds: ['whk_none'] },
      { webhookIds: Array.from({ length: 101 }, () => 'whk_none') },
    ]) {
      await assert.rejects(issue(input as never), { kind: 'validation_failed' });
    }
    const { webhook } = await service.create(ACME, WEBHOOK);
    const issued = await issue({ webhookIds: [webhook.id, webhook.id], capabilities: ['view'] });
    assert.deepEqual([issued.webhookIds, issued.capabilities], [[webhook.id], ['view']]);
    const other = contextOf({ organizationId: 'other' });
    const foreign = { capabilities: ['view'], webhookIds: [webhook.id] } as const;
    await assert.rejects(service.createPortalToken(other, foreign), { kind: 'validation_failed' });
  });
});

it('a host may limit callers of its own to capabilities', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate: () => ({
      ...{ organizationId: 'acme', memberId: 'ann', role: 'admin' },
      grant: { scopes: ['webhooks:view'], resourceIds: null },
    }),
    capabilities: [webhooks({ eventTypes })],
    logger: silentLogger,
  });
  t.after(() => probity.stop());
  const statusOf = async (method: string) =>
    (await probity.fetch(new Request('https://app.example/probity/webhooks', { method }))).status;
  assert.deepEqual([await statusOf('GET'), await statusOf('POST')], [200, 403]);
});

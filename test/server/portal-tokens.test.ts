import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { startSmtpPeer, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { countRows } from './database-content.ts';
import type { Operation } from './furnished.ts';
import { fill, furnish, operationsOf, parametersOf } from './furnished.ts';
import { sendAround } from './held-request.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import { withDatabase } from './open-database.ts';
import { activeMember, ownPath, PASSWORD, PORTAL_TOKENS, succeed } from './post-recipes.ts';
import type { RunOptions } from './support.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

/** What each capability opens, as the specification of portal tokens names it. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  view: ['getWebhook', 'getWebhookStats', 'listWebhookEventTypes', 'listWebhooks'],
  endpoint: [
    ...['createWebhook', 'createWebhookAtWebhooksCreate', 'deleteWebhook', 'updateWebhook'],
  ],
  secret: ['rotateWebhookSecret'],
  attempts: [
    ...['getWebhookDelivery', 'listWebhookDeliveries', 'redeliverWebhookDelivery', 'testWebhook'],
    ...['replayWebhook', 'recoverWebhook', 'cancelWebhookReplay'],
    ...['listWebhookReplays', 'getWebhookReplay'],
  ],
};

/** Bodies of the operations that need one. */
const BODIES: Readonly<Record<string, object>> = {
  updateWebhook: { active: false },
  replayWebhook: { since: '2026-01-01T00:00:00Z' },
  recoverWebhook: { since: '2026-01-01T00:00:00Z' },
};

const ALL = Object.keys(OPERATIONS);
const WEBHOOK = { url: 'https://8.8.8.8/hook', events: ['certification.revoked'] };

async function createWorld(t: TestContext, location: string, options: RunOptions = {}) {
  const inbox = await startSmtpPeer(t);
  const mail = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const owner = await bootstrap(location);
  const { url } = await serve(t, location, {
    ...options,
    env: { ...mail, ...(await integrationEnvironment()), ...options.env },
  });
  const organizationId = owner.organization_id;
  const world = { url, organizationId, key: owner.api_key, inbox };
  const send = (method: string, path: string, body?: unknown, key = owner.api_key) =>
    call(url + path, key, method, body);
  const issue = async (body: object = { capabilities: ALL }, key = owner.api_key) => {
    const answer = await send('POST', PORTAL_TOKENS, body, key);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as { id: string; token: string };
  };
  const succeeds = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const webhooksBy = async (key: string) =>
    (await send('GET', '/api/v1/webhooks', undefined, key)).status;
  return { ...world, owner, send, issue, succeeds, webhooksBy };
}

/** An API key of the owner, an active member, and a session of that member. */
async function createIssuers(world: Awaited<ReturnType<typeof createWorld>>) {
  const keys = ownPath(world, '/api-keys');
  const key = await succeed(world, keys, { name: 'Portal', role: 'owner' });
  const { id, email } = await activeMember(world);
  const member = ownPath(world, `/members/${id}`);
  await world.succeeds('PATCH', member, { role: 'admin' });
  const signIn = async () => {
    const answer = await succeed(world, '/v1/auth/login', { email, password: PASSWORD });
    return answer.access_token ?? '';
  };
  return { key: key.token ?? '', keyPath: `${keys}/${key.id}`, member, signIn };
}

/** The status of an operation for a token, with identifiers of nothing, so that nothing changes. */
function statusOf(url: string, { method, path }: Operation, token: string, organizationId: string) {
  const names = parametersOf(path).map((name) => [name, `${name}_of_nothing`]);
  const identifiers = { ...Object.fromEntries(names), org_id: organizationId };
  return call(url + fill(path, identifiers), token, method.toUpperCase());
}

describe('a portal token', () => {
  it('a portal token is accepted by the operations of its capabilities, and by no other of any package', async (t) => {
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '');
    // SCIM accepts the tokens of identity providers only.
    const operations = (await operationsOf(world.url)).filter(
      ({ security, tags }) => security.length > 0 && !tags.includes('SCIM'),
    );
    assert.ok(operations.length > 50);
    for (const capabilities of [...ALL.map((each) => [each]), ALL]) {
      const { token } = await world.issue({ capabilities });
      const accepted: string[] = [];
      for (const operation of operations) {
        const answer = await statusOf(world.url, operation, token, world.organizationId);
        if (answer.status === 403) continue;
        assert.notEqual(answer.status, 401, operation.operationId);
        accepted.push(operation.operationId);
      }
      const expected = capabilities.flatMap((each) => OPERATIONS[each] ?? []);
      assert.deepEqual(accepted.sort(), expected.sort(), capabilities.join());
    }
  });

  it('a portal token of certain webhooks uses no others, and creates none', async (t) => {
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '');
    const create = async () =>
      (await world.succeeds('POST', '/api/v1/webhooks', WEBHOOK)).data.id as string;
    const [mine, other] = [await create(), await create()];
    const { token } = await world.issue({ capabilities: ALL, webhookIds: [mine, mine] });
    const list = await world.send('GET', '/api/v1/webhooks?limit=1', undefined, token);
    const { data, ...page } = list.body;
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [mine],
    );
    assert.deepEqual(page, { total: 1, limit: 1, offset: 0, has_more: false });
    const operations = (await operationsOf(world.url)).filter(({ path }) =>
      path.includes('{webhook_id}'),
    );
    assert.ok(operations.length > 7);
    for (const { method, path, operationId } of operations) {
      const target = fill(path, {
        webhook_id: other,
        delivery_id: 'dlv_none',
        replay_id: 'rpl_none',
      });
      const answer = await world.send(method.toUpperCase(), target, undefined, token);
      assert.equal(answer.status, 404, operationId);
    }
    const body = { active: false };
    const own = await world.send('PATCH', `/api/v1/webhooks/${mine}`, body, token);
    assert.equal(own.status, 200);
    assert.equal((await world.send('POST', '/api/v1/webhooks', WEBHOOK, token)).status, 403);
    const types = await world.send('GET', '/api/v1/webhooks/event-types', undefined, token);
    assert.equal(types.status, 200);
    const kept = await world.send('GET', `/api/v1/webhooks/${other}`);
    assert.equal(kept.body.data.active, true);
  });

  it('a portal token finds nothing of another organization, and is not revoked by it', async (t) => {
    const location = (await emptyDatabases[0]?.create(t)) ?? '';
    const world = await createWorld(t, location);
    const victim = await bootstrap(location);
    const victims = await furnish(world.url, victim);
    const { token, id } = await world.issue();
    for (const { method, path, operationId } of await operationsOf(world.url)) {
      if (!path.includes('{webhook_id}')) continue;
      const target = fill(path, victims);
      const answer = await world.send(method.toUpperCase(), target, BODIES[operationId], token);
      assert.equal(answer.status, 404, operationId);
    }
    const list = await world.send('GET', '/api/v1/webhooks', undefined, token);
    assert.equal(list.body.total, 0);
    const foreign = { capabilities: ['view'], webhookIds: [victims.webhook_id] };
    const refused = await world.send('POST', PORTAL_TOKENS, foreign);
    assert.deepEqual([refused.status, refused.body.error.details[0].field], [422, 'webhookIds.0']);
    for (const path of [`${PORTAL_TOKENS}?id=${id}`, PORTAL_TOKENS]) {
      await call(world.url + path, victim.api_key, 'DELETE');
    }
    assert.equal(await world.webhooksBy(token), 200);
  });

  it('a portal token shows the secret of a new webhook with the capability secret only', async (t) => {
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '');
    const secretBy = async (capabilities: string[]) => {
      const { token } = await world.issue({ capabilities });
      const answer = await world.send('POST', '/api/v1/webhooks', WEBHOOK, token);
      assert.equal(answer.status, 201);
      return answer.body.data.secret as string | null;
    };
    assert.equal(await secretBy(['endpoint']), null);
    assert.match((await secretBy(['endpoint', 'secret'])) ?? '', /^whsec_/);
  });

  it('the audit log names the maker of a portal token and the token', async (t) => {
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '');
    const { id, token } = await world.issue({ capabilities: ['endpoint'] });
    await world.send('POST', '/api/v1/webhooks', WEBHOOK, token);
    await world.succeeds('DELETE', `${PORTAL_TOKENS}?id=${id}`);
    const log = await world.succeeds('GET', ownPath(world, '/audit-log'));
    const [revoked, created, issued] = log.audit_log;
    assert.deepEqual(
      [revoked.action, revoked.target.id, revoked.actor.id],
      ['portal_token.revoked', id, world.owner.owner_id],
    );
    assert.deepEqual(
      [created.action, created.actor.id, created.actor.credential_id],
      ['webhook.created', world.owner.owner_id, id],
    );
    assert.deepEqual(
      [issued.action, issued.target.id, issued.after.capabilities],
      ['portal_token.created', id, ['endpoint']],
    );
    assert.ok(!JSON.stringify(log).includes(token));
  });

  it('portal tokens count against the rate limit one by one', async (t) => {
    const env = { PROBITY_RATE_LIMITS: 'general=4/60' };
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '', { env });
    const tokens = [(await world.issue()).token, (await world.issue()).token];
    for (const token of tokens) {
      for (let index = 0; index < 4; index += 1) assert.equal(await world.webhooksBy(token), 200);
      assert.equal(await world.webhooksBy(token), 429);
    }
    assert.equal(await world.webhooksBy(world.key), 200);
  });

  it('a portal token is refused by name where its settings are wrong', async (t) => {
    const world = await createWorld(t, (await emptyDatabases[0]?.create(t)) ?? '');
    for (const [body, field] of [
      [{}, 'capabilities'],
      [{ capabilities: [] }, 'capabilities'],
      [{ capabilities: ['view', 'all'] }, 'capabilities.1'],
      [{ capabilities: ['view'], expires_in_seconds: 59 }, 'expires_in_seconds'],
      [{ capabilities: ['view'], expires_in_seconds: 86_401 }, 'expires_in_seconds'],
      [{ capabilities: ['view'], webhookIds: ['whk_none'] }, 'webhookIds.0'],
    ] as const) {
      const answer = await world.send('POST', PORTAL_TOKENS, body);
      assert.deepEqual(
        [answer.status, answer.body.error.details?.[0].field],
        [422, field],
        JSON.stringify(body),
      );
    }
  });
});

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: the end of a portal token`, () => {
    it('a portal token ends with the API key, session or member that made it, and by revocation', async (t) => {
      const world = await createWorld(t, await database.create(t));
      const { key, keyPath, member, signIn } = await createIssuers(world);
      const byKey = await world.issue(undefined, key);
      const session = await signIn();
      const bySession = await world.issue(undefined, session);
      const [first, second] = [await world.issue(), await world.issue()];
      const statuses = () =>
        Promise.all([byKey, bySession, first, second].map(({ token }) => world.webhooksBy(token)));
      assert.deepEqual(await statuses(), [200, 200, 200, 200]);
      await world.succeeds('DELETE', keyPath);
      assert.deepEqual(await statuses(), [401, 200, 200, 200]);
      await world.succeeds('POST', `${member}/suspend`);
      assert.deepEqual(await statuses(), [401, 401, 200, 200]);
      await world.succeeds('DELETE', `${PORTAL_TOKENS}?id=${first.id}`);
      assert.deepEqual(await statuses(), [401, 401, 401, 200]);
      await world.succeeds('DELETE', `${PORTAL_TOKENS}?memberId=mem_none`);
      assert.deepEqual(await statuses(), [401, 401, 401, 200]);
      await world.succeeds('DELETE', `${PORTAL_TOKENS}?memberId=${world.owner.owner_id}`);
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
      const last = await world.issue();
      await world.succeeds('DELETE', PORTAL_TOKENS);
      assert.equal(await world.webhooksBy(last.token), 401);
      for (const [query, status] of [
        [`id=${last.id}`, 404],
        ['id=', 422],
        ['memberId=', 422],
        ['id=a&memberId=b', 422],
      ] as const) {
        const { status: found } = await world.send('DELETE', `${PORTAL_TOKENS}?${query}`);
        assert.equal(found, status, query);
      }
    });

    it('a portal token has at most the present role of its maker, and ends with the session', async (t) => {
      const world = await createWorld(t, await database.create(t));
      const { member, signIn } = await createIssuers(world);
      const session = await signIn();
      const { token } = await world.issue(undefined, session);
      await world.succeeds('PATCH', member, { role: 'viewer' });
      assert.equal(await world.webhooksBy(token), 200);
      assert.equal((await world.send('POST', '/api/v1/webhooks', WEBHOOK, token)).status, 403);
      await world.succeeds('PATCH', member, { role: 'admin' });
      assert.equal((await world.send('POST', '/api/v1/webhooks', WEBHOOK, token)).status, 201);
      const { sessions } = (await world.send('GET', '/v1/auth/sessions', undefined, session)).body;
      const current = sessions.find((each: { is_current: boolean }) => each.is_current);
      await world.send('DELETE', `/v1/auth/sessions/${current.id}`, undefined, session);
      assert.equal(await world.webhooksBy(token), 401);
    });

    it('a portal token is refused from addresses outside the allowlist, and ends with the organization', async (t) => {
      const location = await database.create(t);
      const world = await createWorld(t, location);
      const { token } = await world.issue();
      const settings = { settings: { ip_allowlist: ['203.0.113.0/24'] } };
      const organization = ownPath(world, '');
      await world.succeeds('PATCH', `${organization}?force=true`, settings);
      assert.equal(await world.webhooksBy(token), 403);
      const other = await createWorld(t, await database.create(t));
      const issued = await other.issue();
      const { slug } = await other.succeeds('GET', ownPath(other, ''));
      await other.succeeds('DELETE', `${ownPath(other, '')}?confirm=${slug}`);
      assert.equal(await other.webhooksBy(issued.token), 401);
    });

    it('a request by a portal token writes nothing after the token or its maker has ended', async (t) => {
      const location = await database.create(t);
      const world = await createWorld(t, location);
      const stored = async () => (await countRows(location)).get('probity_webhooks');
      const ends = [
        async (id: string) => world.succeeds('DELETE', `${PORTAL_TOKENS}?id=${id}`),
        async (_: string, keyPath: string) => world.succeeds('DELETE', keyPath),
      ];
      for (const end of ends) {
        const { key, keyPath } = await createIssuers(world);
        const { id, token } = await world.issue(undefined, key);
        const target = `${world.url}/api/v1/webhooks`;
        const held = { method: 'POST', url: target, key: token, body: WEBHOOK };
        assert.equal(await sendAround(held, () => end(id, keyPath)), 401);
      }
      assert.equal(await stored(), 0);
    });
  });
}

const WAITING = `select count(*) as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

for (const database of emptyDatabases.filter(({ name }) => name === 'postgres')) {
  const ends = {
    revocation: ['delete from probity_scoped_tokens where id = $1'],
    'revocation of its API key': [
      'select id from probity_api_keys where id = $1 for update',
      'update probity_api_keys set revoked_at = 1 where id = $1',
    ],
  };
  for (const [name, statements] of Object.entries(ends)) {
    it(`${database.name}: a write by a portal token beside the ${name} waits for it and is refused`, async (t) => {
      const location = await database.create(t);
      const world = await createWorld(t, location);
      const { key, keyPath } = await createIssuers(world);
      const { id, token } = await world.issue(undefined, key);
      const ended = name === 'revocation' ? id : (keyPath.split('/').at(-1) ?? '');
      const sent = await withDatabase(location, (database) =>
        database.transaction(async (session) => {
          for (const statement of statements) await session.execute(statement, [ended]);
          let status: number | undefined;
          const headers = { 'idempotency-key': randomUUID(), authorization: `Bearer ${token}` };
          const answer = fetch(`${world.url}/api/v1/webhooks`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(WEBHOOK),
          }).then((response) => {
            status = response.status;
            return response.status;
          });
          await until(async () => {
            // A transaction sees the activity of its first look until then.
            await session.execute('select pg_stat_clear_snapshot()', []);
            const { rows } = await session.execute<{ n: number }>(WAITING, []);
            return status !== undefined || Number(rows[0]?.n) > 0;
          }, 'the write waits');
          assert.equal(status, undefined);
          return { answer };
        }),
      );
      assert.equal(await sent.answer, 401);
      assert.equal((await countRows(location)).get('probity_webhooks'), 0);
    });
  }
}

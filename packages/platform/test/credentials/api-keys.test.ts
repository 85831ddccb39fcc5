import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST, ROLES } from '@probity/core';
import { isWellFormedToken } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import { issueApiKey } from '../../src/credentials/api-keys.ts';
import { newApiKey, newMember } from '../../src/testing/records.ts';
import { createMemberWorld, errorOf } from '../members/world.ts';
import { storedText } from '../stored-text.ts';
import { targets } from '../support.ts';
import type { PlatformWorld } from '../world.ts';
import { createPlatformWorld } from '../world.ts';

const DAY_MS = 86_400_000;

interface WireKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: string;
  readonly member_id?: string;
  readonly effective_role?: string | null;
  readonly created_at: string;
  readonly last_used: string | null;
  readonly expires_at: string | null;
}

interface WireList {
  readonly api_keys: readonly WireKey[];
  readonly total: number;
  readonly has_more: boolean;
}

function keysPath({ organization }: PlatformWorld): string {
  return `/organizations/${organization.organizationId}/api-keys`;
}

async function listKeys(world: PlatformWorld, query = ''): Promise<WireList> {
  const response = await world.send('GET', keysPath(world) + query);
  assert.equal(response.status, 200);
  return (await response.json()) as WireList;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: API keys`, () => {
    test('a new API key is returned with its token once, and authenticates', async (t) => {
      const world = await createPlatformWorld(t, target);
      const response = await world.send('POST', keysPath(world), {
        body: { name: '  CI ✓ ', expires_in_days: 30, role: 'viewer' },
      });
      assert.equal(response.status, 201);
      const created = (await response.json()) as WireKey & { token: string };
      assert.ok(isWellFormedToken('pbk_', created.token));
      assert.deepEqual(created, {
        id: created.id,
        name: 'CI ✓',
        prefix: created.token.slice(0, 12),
        role: 'viewer',
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-31T00:00:00.000Z',
        token: created.token,
      });
      const used = await world.send('GET', '/organizations', { token: created.token });
      assert.equal(used.status, 200);
      const listed = await listKeys(world);
      assert.ok(!JSON.stringify(listed).includes(created.token.slice(12)));
      assert.deepEqual(listed.api_keys.map(({ name }) => name).sort(), ['Bootstrap', 'CI ✓']);
    });

    test('a list of API keys says whose they are, and which role they have now', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { organizationId, ownerId } = world.organization;
      const demoted = newMember(organizationId, { role: 'viewer' });
      const suspended = newMember(organizationId, { status: 'suspended' });
      await world.opened.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const member of [demoted, suspended]) {
          await tx.insertMember(member);
          await tx.insertApiKey(newApiKey(member, { role: 'admin' }));
        }
      });
      const { api_keys: keys } = await listKeys(world);
      const facts = keys.map((key) => [key.member_id, key.role, key.effective_role].join());
      assert.deepEqual(
        facts.toSorted(),
        [
          `${ownerId},owner,owner`,
          `${demoted.id},admin,viewer`,
          `${suspended.id},admin,`,
        ].toSorted(),
      );
    });

    test('API keys are listed page by page, oldest first', async (t) => {
      const world = await createPlatformWorld(t, target);
      for (const name of ['a', 'b']) {
        await world.clock.advance(1_000);
        await world.createKey('viewer', { name });
      }
      const page = await listKeys(world, '?limit=1&offset=1');
      assert.deepEqual(
        page.api_keys.map(({ name }) => name),
        ['a'],
      );
      assert.deepEqual([page.total, page.has_more], [3, true]);
      assert.equal((await listKeys(world, '?limit=1&offset=2')).has_more, false);
    });

    test("an administrator cannot revoke an owner's API keys, of any role", async (t) => {
      const world = await createMemberWorld(t, target);
      const { key: token } = await world.join('admin@example.com', 'admin');
      for (const role of ['owner', 'viewer'] as const) {
        const { id } = await world.createKey(role);
        const path = `${keysPath(world)}/${id}`;
        assert.deepEqual(await errorOf(world.send('DELETE', path, { token })), [403, 'forbidden']);
        assert.equal((await world.send('DELETE', path)).status, 204);
      }
      const created = await world.send('POST', keysPath(world), { token, body: { name: 'Own' } });
      const { id } = (await created.json()) as { id: string };
      const own = await world.send('DELETE', `${keysPath(world)}/${id}`, { token });
      assert.equal(own.status, 204);
    });

    test('an organization has at most 500 API keys, also under concurrency', async (t) => {
      const world = await createMemberWorld(t, target);
      const { runtime, storage, organization } = world;
      const { organizationId, ownerId: memberId } = organization;
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let count = 1; count < 498; count += 1) {
          const id = runtime.ids.next('key');
          const createdAt = runtime.clock.now();
          const facts = { name: 'Key', role: 'viewer', createdAt, expiresAt: null } as const;
          const { key } = issueApiKey(runtime.random, { id, organizationId, memberId, ...facts });
          await tx.insertApiKey(key);
        }
      });
      const create = () => world.send('POST', keysPath(world), { body: { name: 'CI' } });
      const sent = await Promise.all(Array.from({ length: 6 }, create));
      const statuses = sent.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [201, 201, 409, 409, 409, 409]);
      const { api_keys, total } = await listKeys(world);
      assert.equal(total, 500);
      const path = `${keysPath(world)}/${api_keys[1]?.id}`;
      assert.equal((await world.send('DELETE', path)).status, 204);
      assert.equal((await create()).status, 201);
    });

    test('a revoked key no longer authenticates, is not listed, and cannot be revoked again', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { id, token } = await world.createKey('admin');
      assert.equal((await world.send('GET', '/organizations', { token })).status, 200);
      const revoke = () => world.send('DELETE', `${keysPath(world)}/${id}`);
      const revoked = await revoke();
      assert.equal(revoked.status, 204);
      assert.equal(await revoked.text(), '');
      const refused = await world.send('GET', '/organizations', { token });
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get('www-authenticate') ?? '', /invalid_token/);
      assert.equal((await listKeys(world)).total, 1);
      assert.equal((await revoke()).status, 404);
    });

    test('an API key may revoke itself', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { id, token } = await world.createKey('admin');
      const path = `${keysPath(world)}/${id}`;
      assert.equal((await world.send('DELETE', path, { token })).status, 204);
      assert.equal((await world.send('DELETE', path, { token })).status, 401);
    });

    test('an API key no longer authenticates from its expiry on', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { token } = await world.createKey('viewer', { expires_in_days: 1 });
      const status = async () => (await world.send('GET', '/roles', { token })).status;
      await world.clock.advance(DAY_MS - 1);
      assert.equal(await status(), 200);
      await world.clock.advance(1);
      assert.equal(await status(), 401);
    });

    test("an API key has at most its creator's role, and by default at most admin", async (t) => {
      const world = await createPlatformWorld(t, target);
      const admin = await world.createKey('admin');
      for (const role of ROLES) {
        const response = await world.send('POST', keysPath(world), {
          token: admin.token,
          body: { name: 'x', role },
        });
        assert.equal(response.status, role === 'owner' ? 403 : 201, role);
        await response.arrayBuffer();
      }
      for (const token of [admin.token, world.organization.apiKey]) {
        const response = await world.send('POST', keysPath(world), { token, body: { name: 'x' } });
        assert.equal(((await response.json()) as WireKey).role, 'admin');
      }
    });

    test('API keys of another organization can be neither seen nor revoked', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { id } = await world.createKey('viewer');
      const other = await world.bootstrap('Other');
      const token = other.apiKey;
      assert.equal((await world.send('GET', keysPath(world), { token })).status, 404);
      assert.equal((await world.send('DELETE', `${keysPath(world)}/${id}`, { token })).status, 404);
      const own = `/organizations/${other.organizationId}/api-keys/${id}`;
      assert.equal((await world.send('DELETE', own, { token })).status, 404);
      assert.equal((await listKeys(world)).total, 2);
    });

    test('creating an API key with bad fields names all of them and stores nothing', async (t) => {
      const world = await createPlatformWorld(t, target);
      const bodies: ReadonlyArray<readonly [object, string]> = [
        [{}, 'name'],
        [{ name: ' ' }, 'name'],
        [{ name: 'x'.repeat(101) }, 'name'],
        [{ name: 'two\nlines' }, 'name'],
        [{ name: 'x', expires_in_days: 0 }, 'expires_in_days'],
        [{ name: 'x', expires_in_days: 3_651 }, 'expires_in_days'],
        [{ name: 'x', expires_in_days: 1.5 }, 'expires_in_days'],
        [{ name: 'x', expires_in_days: '7' }, 'expires_in_days'],
        [{ name: 'x', role: 'root' }, 'role'],
        [{ name: 'x', token: 'pbk_own' }, 'token'],
      ];
      for (const [body, field] of bodies) {
        const response = await world.send('POST', keysPath(world), { body });
        assert.equal(response.status, 400, JSON.stringify(body));
        const { error, details } = (await response.json()) as {
          error: string;
          details: WireDetail[];
        };
        assert.equal(error, 'invalid_request');
        assert.deepEqual(
          details.map((detail) => detail.field),
          [field],
        );
      }
      assert.equal((await listKeys(world)).total, 1);
    });

    test('last_used of an API key is shown once it has been written', async (t) => {
      const world = await createPlatformWorld(t, target);
      await world.usage.start();
      for (let index = 0; index < 10; index += 1) await world.send('GET', '/roles');
      assert.equal((await listKeys(world)).api_keys[0]?.last_used, null);
      await world.usage.stop();
      assert.equal((await listKeys(world)).api_keys[0]?.last_used, '2026-01-01T00:00:00.000Z');
    });

    test('tokens of API keys, SCIM and invitations are not stored in the database', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { token } = await world.createKey('admin');
      const secrets = [token, world.organization.apiKey, world.organization.scimToken];
      const stored = await storedText(world.opened);
      for (const secret of secrets) {
        assert.ok(stored.includes(secret.slice(0, 12)));
        assert.ok(!stored.includes(secret.slice(12)), 'a token was stored');
      }
    });
  });
}

interface WireDetail {
  readonly field: string;
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { targets } from '../support.ts';
import type { PlatformWorld } from '../world.ts';
import { createPlatformWorld } from '../world.ts';

interface WireEntry {
  readonly sequence: number;
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly target: { readonly type: string; readonly id: string };
  readonly request_id: string | null;
  readonly created_at: string;
}

interface WireList {
  readonly audit_log: readonly WireEntry[];
  readonly total: number;
  readonly has_more: boolean;
}

const pathOf = ({ organization }: PlatformWorld) =>
  `/organizations/${organization.organizationId}/audit-log`;

async function list(world: PlatformWorld, query = ''): Promise<WireList> {
  const response = await world.send('GET', pathOf(world) + query);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as WireList;
}

/** Creates a key and revokes it an hour later; returns its id. */
async function useKeys(world: PlatformWorld): Promise<string> {
  const { organizationId } = world.organization;
  const { id } = await world.createKey('viewer', { name: 'CI' });
  await world.clock.advance(3_600_000);
  const response = await world.send('DELETE', `/organizations/${organizationId}/api-keys/${id}`);
  assert.equal(response.status, 204);
  return id;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: audit log endpoint`, () => {
    test('every change is in the audit log, newest first, with actor and address', async (t) => {
      const world = await createPlatformWorld(t, target);
      const id = await useKeys(world);
      const { audit_log: entries, total } = await list(world);
      assert.deepEqual(
        entries.map(({ sequence, action }) => [sequence, action]),
        [
          [3, 'api_key.revoked'],
          [2, 'api_key.created'],
          [1, 'organization.created'],
        ],
      );
      assert.equal(total, 3);
      const created = entries[1] as unknown as Record<string, unknown>;
      const { id: entryId, hash, actor, request_id: requestId, after, ...facts } = created;
      assert.deepEqual(facts, {
        sequence: 2,
        action: 'api_key.created',
        target: { type: 'api_key', id },
        before: null,
        address: '127.0.0.1',
        previous_hash: (entries[2] as unknown as { hash: string }).hash,
        created_at: '2026-01-01T00:00:00.000Z',
      });
      const { type, id: actorId } = actor as WireEntry['actor'];
      assert.deepEqual([type, actorId], ['member', world.organization.ownerId]);
      assert.match(String(entryId), /^aud_/);
      assert.match(String(hash), /^[0-9a-f]{64}$/);
      assert.ok(requestId);
      assert.equal((after as { name: string }).name, 'CI');
    });

    test('no audit entry contains a token or its hash', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { token } = await world.createKey('viewer');
      const text = JSON.stringify(await list(world));
      assert.ok(!text.includes(token) && !text.includes(token.slice(12)));
      assert.doesNotMatch(text, /token_?hash/i);
    });

    test('the audit log is paged and filtered by actor, action and time', async (t) => {
      const world = await createPlatformWorld(t, target);
      await useKeys(world);
      const { ownerId } = world.organization;
      const cases: Array<[string, number[]]> = [
        ['?limit=1&offset=1', [2]],
        ['?actor=bootstrap', [1]],
        [`?actor=${ownerId}`, [3, 2]],
        ['?action=api_key.revoked', [3]],
        ['?since=2026-01-01T01:00:00Z', [3]],
        ['?since=2026-01-01T02:00:00%2B01:00', [3]],
        ['?until=2026-01-01T01:00:00Z', [2, 1]],
        [`?actor=${ownerId}&until=2026-01-01T01:00:00Z`, [2]],
        ['?actor=nobody', []],
      ];
      for (const [query, expected] of cases) {
        const { audit_log: entries } = await list(world, query);
        assert.deepEqual(
          entries.map(({ sequence }) => sequence),
          expected,
          query,
        );
      }
      assert.equal((await list(world, '?limit=1&offset=1')).has_more, true);
    });

    test('an invalid audit log filter is refused by name', async (t) => {
      const world = await createPlatformWorld(t, target);
      for (const query of [
        'since=yesterday',
        'until=2026-01-01',
        'actors=x',
        'actor=',
        'limit=0',
      ]) {
        const response = await world.send('GET', `${pathOf(world)}?${query}`);
        assert.equal(response.status, 400, query);
        assert.match(await response.text(), new RegExp(String(query.split('=')[0])));
      }
    });

    test('the audit log is readable by admins of the organization, and cannot be changed', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { token: admin } = await world.createKey('admin');
      const { token: editor } = await world.createKey('editor');
      const stranger = await world.bootstrap('Other');
      const statusFor = async (token: string, method = 'GET') =>
        (await world.send(method, pathOf(world), { token })).status;
      assert.equal(await statusFor(admin), 200);
      assert.equal(await statusFor(editor), 403);
      assert.equal(await statusFor(stranger.apiKey), 404);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        assert.equal(await statusFor(admin, method), 405);
      }
    });
  });
}

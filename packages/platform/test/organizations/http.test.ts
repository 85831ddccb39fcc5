import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { permissionsOf, ROLES } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { targets } from '../support.ts';
import { createPlatformWorld } from '../world.ts';

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: organizations`, () => {
    test('the list of organizations contains only the organization of the API key', async (t) => {
      const world = await createPlatformWorld(t, target);
      await world.bootstrap('Other');
      const response = await world.send('GET', '/organizations');
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), {
        organizations: [
          {
            id: world.organization.organizationId,
            name: 'Ærø Føundation',
            slug: 'r-f-undation',
            created_at: '2026-01-01T00:00:00.000Z',
            plan: 'professional',
            members_count: 1,
            gateway_instances: 0,
            sentinel_agents: 0,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      });
      const beyond = await world.send('GET', '/organizations?offset=1');
      const { organizations, total } = (await beyond.json()) as {
        organizations: [];
        total: number;
      };
      assert.deepEqual([organizations, total], [[], 1]);
    });

    test('absent fields of an organization are null', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { organizationId } = world.organization;
      const response = await world.send('GET', `/organizations/${organizationId}`);
      const body = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([body.description, body.website, body.timezone], [null, null, 'UTC']);
      assert.deepEqual(body.settings, {
        sso_enabled: false,
        sso_provider: null,
        ip_allowlist: [],
        data_residency: null,
      });
    });

    test('ids of another organization, unknown ids and malformed ids are answered 404', async (t) => {
      const world = await createPlatformWorld(t, target);
      const other = await world.bootstrap('Other');
      for (const id of [
        other.organizationId,
        'org_none',
        '%00',
        "'; drop table probity_organizations",
      ]) {
        const response = await world.send('GET', `/organizations/${encodeURIComponent(id)}`);
        assert.equal(response.status, 404);
        assert.equal(((await response.json()) as { error: string }).error, 'not_found');
      }
    });
  });
}

test('the roles are listed with their permissions, page by page', async (t) => {
  const world = await createPlatformWorld(t, targets[0] as (typeof targets)[number]);
  const all = (await (await world.send('GET', '/roles')).json()) as {
    roles: Array<{ id: string; name: string; permissions: string[] }>;
    total: number;
  };
  assert.deepEqual(
    all.roles.map(({ id }) => id),
    [...ROLES],
  );
  for (const { id, permissions } of all.roles) {
    assert.deepEqual(permissions, permissionsOf(id as (typeof ROLES)[number]));
  }
  assert.equal(all.roles[0]?.name, 'Owner');
  const page = (await (await world.send('GET', '/roles?limit=2&offset=4')).json()) as {
    roles: Array<{ id: string }>;
    has_more: boolean;
  };
  assert.deepEqual([page.roles.map(({ id }) => id), page.has_more], [['viewer'], false]);
});

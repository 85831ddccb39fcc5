import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCidrList } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { targets } from '../support.ts';
import type { PlatformWorld } from '../world.ts';
import { createPlatformWorld } from '../world.ts';

const memory = targets[0] as PlatformTarget;

interface WireOrganization {
  readonly name: string;
  readonly slug: string;
  readonly timezone: string;
  readonly settings: { readonly ip_allowlist: readonly string[] };
}

interface WireError {
  readonly error: string;
  readonly message: string;
  readonly details?: ReadonlyArray<{ field: string; message: string }>;
}

function patch(world: PlatformWorld, body: unknown, query = '', token?: string): Promise<Response> {
  const path = `/organizations/${world.organization.organizationId}${query}`;
  return world.send('PATCH', path, { body, ...(token ? { token } : {}) });
}

async function update(
  world: PlatformWorld,
  body: unknown,
  query?: string,
): Promise<WireOrganization> {
  const response = await patch(world, body, query);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as WireOrganization;
}

async function refusal(response: Response, status: number): Promise<WireError> {
  assert.equal(response.status, status);
  return (await response.json()) as WireError;
}

async function auditLog(world: PlatformWorld) {
  const path = `/organizations/${world.organization.organizationId}/audit-log`;
  const { audit_log } = (await (await world.send('GET', path)).json()) as {
    audit_log: Array<{ action: string; before: unknown; after: unknown; address: string }>;
  };
  return audit_log;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: changes of organizations`, () => {
    test('an organization update returns the whole organization, and its changes are audited', async (t) => {
      const world = await createPlatformWorld(t, target);
      const body = {
        name: '  Ærø ✓ ',
        timezone: 'europe/copenhagen',
        settings: {
          ip_allowlist: ['127.0.0.0/8', ' 2001:DB8:0::/32 ', '192.0.2.7', '192.0.2.7/32'],
        },
      };
      const updated = await update(world, body);
      assert.equal(updated.name, 'Ærø ✓');
      assert.equal(updated.slug, 'r-f-undation');
      assert.equal(updated.timezone, 'Europe/Copenhagen');
      const networks = ['127.0.0.0/8', '2001:db8::/32', '192.0.2.7/32'];
      assert.deepEqual(updated.settings.ip_allowlist, networks);
      const path = `/organizations/${world.organization.organizationId}`;
      assert.deepEqual(await (await world.send('GET', path)).json(), updated);
      const [entry] = await auditLog(world);
      assert.equal(entry?.action, 'organization.updated');
      assert.equal(entry?.address, '127.0.0.1');
      const before = { name: 'Ærø Føundation', timezone: 'UTC', ip_allowlist: [] };
      assert.deepEqual(entry?.before, before);
      assert.deepEqual(entry?.after, {
        name: 'Ærø ✓',
        timezone: 'Europe/Copenhagen',
        ip_allowlist: networks,
      });
    });

    test('an organization update that changes nothing returns the organization and is not audited', async (t) => {
      const world = await createPlatformWorld(t, target);
      for (const body of [{}, { settings: {} }, { timezone: 'Etc/UTC' }]) {
        assert.equal((await update(world, body)).timezone, 'UTC');
      }
      assert.deepEqual(
        (await auditLog(world)).map(({ action }) => action),
        ['organization.created'],
      );
    });

    test('an IP allowlist refuses keys from other addresses at once, until it is emptied', async (t) => {
      const trustedProxies = parseCidrList('127.0.0.1/32, 198.51.100.0/24');
      const world = await createPlatformWorld(t, target, { trustedProxies });
      const other = await world.bootstrap('Other');
      const from = (address: string, token?: string) =>
        world.send('GET', '/roles', {
          headers: { 'x-forwarded-for': `192.0.2.1, ${address}, 198.51.100.9` },
          ...(token ? { token } : {}),
        });
      const body = { settings: { ip_allowlist: ['127.0.0.0/8', '192.0.2.0/24'] } };
      await update(world, body);
      assert.equal((await from('192.0.2.77')).status, 200);
      const refused = await refusal(await from('203.0.113.9'), 403);
      assert.match(refused.message, /203\.0\.113\.9 is not on .* allowlist/);
      assert.equal((await from('203.0.113.9', other.apiKey)).status, 200);
      await update(world, { settings: { ip_allowlist: [] } });
      assert.equal((await from('203.0.113.9')).status, 200);
    });

    test('an IP allowlist that would lock out its author needs force', async (t) => {
      const world = await createPlatformWorld(t, target);
      const body = { settings: { ip_allowlist: ['192.0.2.0/24'] } };
      for (const query of ['', '?force=false']) {
        const { error, message } = await refusal(await patch(world, body, query), 409);
        assert.equal(error, 'conflict');
        assert.match(message, /your own address 127\.0\.0\.1 .*force=true/);
      }
      assert.equal((await auditLog(world)).length, 1);
      const updated = await update(world, body, '?force=true');
      assert.deepEqual(updated.settings.ip_allowlist, ['192.0.2.0/24']);
      const { message } = await refusal(await world.send('GET', '/roles'), 403);
      assert.match(message, /127\.0\.0\.1/);
    });

    test('an administrator cannot force an IP allowlist that locks the owners out', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { token } = await world.createKey('admin');
      const body = { settings: { ip_allowlist: ['192.0.2.0/24'] } };
      const path = `/organizations/${world.organization.organizationId}?force=true`;
      const { error } = await refusal(await world.send('PATCH', path, { token, body }), 403);
      assert.equal(error, 'forbidden');
      assert.equal((await world.send('GET', '/roles')).status, 200);
      const own = { settings: { ip_allowlist: ['127.0.0.0/8'] } };
      assert.equal((await world.send('PATCH', path, { token, body: own })).status, 200);
    });

    test('deleting an organization needs its slug, and invalidates its API keys', async (t) => {
      const world = await createPlatformWorld(t, target);
      const other = await world.bootstrap('Other');
      const path = `/organizations/${world.organization.organizationId}`;
      for (const query of ['', '?confirm=', '?confirm=R-F-undation', '?confirm=other']) {
        const { error, details } = await refusal(await world.send('DELETE', path + query), 400);
        assert.equal(error, 'invalid_request');
        assert.equal(details?.[0]?.field, 'confirm');
      }
      const { token } = await world.createKey('admin');
      const asAdmin = await world.send('DELETE', `${path}?confirm=r-f-undation`, { token });
      assert.equal(asAdmin.status, 403);
      const deleted = await world.send('DELETE', `${path}?confirm=r-f-undation`);
      assert.equal(deleted.status, 204);
      assert.equal(await deleted.text(), '');
      for (const key of [world.organization.apiKey, token]) {
        assert.equal((await world.send('GET', '/roles', { token: key })).status, 401);
      }
      const kept = await world.send('GET', `/organizations/${other.organizationId}`, {
        token: other.apiKey,
      });
      assert.equal(kept.status, 200);
      assert.equal((await world.bootstrap('Ærø Føundation')).apiKey.slice(0, 4), 'pbk_');
    });
  });
}

interface RefusedChange {
  readonly body: unknown;
  readonly field: string;
  readonly message: RegExp;
}

const FIXED = /^cannot be updated$/;
const refusedChanges: readonly RefusedChange[] = [
  ...['id', 'slug', 'description', 'website', 'created_at', 'plan', 'members_count'].map(
    (field) => ({ body: { [field]: 'x' }, field, message: FIXED }),
  ),
  { body: { gateway_instances: 1 }, field: 'gateway_instances', message: FIXED },
  { body: { sentinel_agents: 1 }, field: 'sentinel_agents', message: FIXED },
  { body: { website: null }, field: 'website', message: FIXED },
  { body: { settings: { sso_enabled: true } }, field: 'settings.sso_enabled', message: FIXED },
  { body: { settings: { sso_provider: 'x' } }, field: 'settings.sso_provider', message: FIXED },
  { body: { settings: { data_residency: 'x' } }, field: 'settings.data_residency', message: FIXED },
  { body: { color: 'red' }, field: 'color', message: /known field/ },
  { body: { settings: { color: 'red' } }, field: 'settings.color', message: /known field/ },
  { body: { name: ' ' }, field: 'name', message: /empty/ },
  { body: { name: null }, field: 'name', message: /string/ },
  { body: { name: 'x'.repeat(101) }, field: 'name', message: /100/ },
  { body: { name: 'a\nb' }, field: 'name', message: /control/ },
  { body: { name: 'a\u2028b' }, field: 'name', message: /control/ },
  { body: { name: 'a\u202eb' }, field: 'name', message: /control/ },
  { body: { timezone: 'Europe/Atlantis' }, field: 'timezone', message: /IANA/ },
  { body: { timezone: '' }, field: 'timezone', message: /IANA/ },
  {
    body: { settings: { ip_allowlist: '10.0.0.0/8' } },
    field: 'settings.ip_allowlist',
    message: /array/,
  },
  {
    body: { settings: { ip_allowlist: Array.from({ length: 201 }, (_, n) => `10.0.0.${n}`) } },
    field: 'settings.ip_allowlist',
    message: /at most 200/,
  },
  ...[
    '',
    'host',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '10.0.0.0/8/8',
    '::1%lo',
    '010.0.0.1',
    '1.2.3.4:80',
    '10.0.0.0/8,::/0',
  ].map((entry) => ({
    body: { settings: { ip_allowlist: ['127.0.0.1', entry] } },
    field: 'settings.ip_allowlist.1',
    message: /must be an address, or a network/,
  })),
];

describe('refused changes of organizations', () => {
  for (const { body, field, message } of refusedChanges) {
    test(`an organization update of ${JSON.stringify(body).slice(0, 60)} is refused by field name`, async (t) => {
      const world = await createPlatformWorld(t, memory);
      const { error, details } = await refusal(await patch(world, body), 400);
      assert.equal(error, 'invalid_request');
      assert.equal(details?.length, 1);
      assert.equal(details?.[0]?.field, field);
      assert.match(details?.[0]?.message ?? '', message);
    });
  }

  test('an organization update with several bad fields names all of them', async (t) => {
    const world = await createPlatformWorld(t, memory);
    const body = {
      timezone: 'Mars/Base',
      settings: { ip_allowlist: ['x', '127.0.0.1', '10.0.0.1/8'] },
    };
    const { details } = await refusal(await patch(world, body), 400);
    assert.deepEqual(
      details?.map(({ field }) => field),
      ['timezone', 'settings.ip_allowlist.0', 'settings.ip_allowlist.2'],
    );
    assert.match(details?.[2]?.message ?? '', /without bits beyond its prefix/);
  });

  test('a bad force parameter is refused, and an editor may not update the organization', async (t) => {
    const world = await createPlatformWorld(t, memory);
    const { details } = await refusal(await patch(world, {}, '?force=yes'), 400);
    assert.equal(details?.[0]?.field, 'force');
    const { token } = await world.createKey('editor');
    await refusal(await patch(world, { name: 'x' }, '', token), 403);
  });
});

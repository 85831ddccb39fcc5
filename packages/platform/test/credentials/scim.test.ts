import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWellFormedToken } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import { createScimTokenUsage } from '../../src/credentials/credential-usage.ts';
import {
  createScimAuthentication,
  createScimClientCredentials,
  createScimConfirmation,
} from '../../src/credentials/scim-authentication.ts';
import { BASE_URL, targets } from '../support.ts';
import type { PlatformWorld } from '../world.ts';
import { createPlatformWorld } from '../world.ts';

const ORIGIN = { address: '192.0.2.1' };
const BASE = `${BASE_URL}/scim/v2`;
const COUNTS = { user_count: null, group_count: null };
const NONE = {
  ...{ token_prefix: null, created_at: null, expires_at: null, last_used: null },
  ...COUNTS,
};

interface WireStatus {
  readonly enabled: boolean;
  readonly base_url: string;
  readonly token_prefix: string | null;
  readonly created_at: string | null;
  readonly expires_at: string | null;
  readonly last_used: string | null;
}

function scimPath({ organization }: PlatformWorld): string {
  return `/organizations/${organization.organizationId}/scim`;
}

async function status(world: PlatformWorld): Promise<WireStatus> {
  const response = await world.send('GET', scimPath(world));
  assert.equal(response.status, 200);
  return (await response.json()) as WireStatus;
}

async function enable(
  world: PlatformWorld,
  body?: object,
): Promise<WireStatus & { token: string }> {
  const response = await world.send('POST', scimPath(world), { body });
  assert.equal(response.status, 201);
  return (await response.json()) as WireStatus & { token: string };
}

async function disable(world: PlatformWorld): Promise<void> {
  assert.equal((await world.send('DELETE', scimPath(world))).status, 204);
}

async function auditActions(world: PlatformWorld): Promise<string[]> {
  const path = `/organizations/${world.organization.organizationId}/audit-log`;
  const { audit_log } = (await (await world.send('GET', path)).json()) as {
    audit_log: Array<{ action: string }>;
  };
  return audit_log.map(({ action }) => action).filter((action) => action.startsWith('scim.'));
}

function authenticationOf({ opened, runtime }: PlatformWorld) {
  const { storage } = opened;
  const usage = createScimTokenUsage(runtime, { storage });
  const authenticate = createScimAuthentication(runtime, { storage, usage });
  const isValid = async (token: string) =>
    (await authenticate({ token: token, ...ORIGIN })) !== null;
  return { usage, authenticate, isValid };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: SCIM administration`, () => {
    test("bootstrap's SCIM token is shown by its prefix, and disabling SCIM twice revokes it once", async (t) => {
      const world = await createPlatformWorld(t, target);
      const { isValid } = authenticationOf(world);
      const { scimToken } = world.organization;
      assert.deepEqual(await status(world), {
        enabled: true,
        base_url: BASE,
        token_prefix: scimToken.slice(0, 12),
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: null,
        last_used: null,
        ...COUNTS,
      });
      assert.equal(await isValid(scimToken), true);
      await disable(world);
      assert.equal(await isValid(scimToken), false);
      assert.deepEqual(await status(world), { enabled: false, base_url: BASE, ...NONE });
      await disable(world);
      assert.deepEqual(await auditActions(world), ['scim.disabled']);
    });

    test('a new SCIM token is shown once and replaces the old one at once', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { isValid } = authenticationOf(world);
      await world.clock.advance(60_000);
      const { token, ...shown } = await enable(world);
      assert.ok(isWellFormedToken('psc_', token));
      assert.deepEqual(shown, await status(world));
      assert.equal(shown.token_prefix, token.slice(0, 12));
      assert.equal(shown.created_at, '2026-01-01T00:01:00.000Z');
      assert.equal(await isValid(world.organization.scimToken), false);
      assert.equal(await isValid(token), true);
      await disable(world);
      await enable(world, {});
      assert.deepEqual(await auditActions(world), [
        'scim.enabled',
        'scim.disabled',
        'scim.token_regenerated',
      ]);
    });

    test('with an overlap only the previous SCIM token stays valid, for that time', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { isValid } = authenticationOf(world);
      const first = world.organization.scimToken;
      const { token: second } = await enable(world, { overlap_seconds: 3_600 });
      assert.deepEqual([await isValid(first), await isValid(second)], [true, true]);
      await world.clock.advance(1_000);
      const { token: third } = await enable(world, { overlap_seconds: 60 });
      const valid = () => Promise.all([first, second, third].map(isValid));
      assert.deepEqual(await valid(), [false, true, true]);
      assert.equal((await status(world)).token_prefix, third.slice(0, 12));
      await world.clock.advance(59_999);
      assert.deepEqual(await valid(), [false, true, true]);
      await world.clock.advance(1);
      assert.deepEqual(await valid(), [false, false, true]);
      await enable(world, { overlap_seconds: 60 });
      await disable(world);
      assert.deepEqual(await valid(), [false, false, false]);
    });

    test('a SCIM token can expire, and its predecessor must not outlive it', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { isValid } = authenticationOf(world);
      const long = { expires_in_days: 1, overlap_seconds: 86_400 };
      const refused = await world.send('POST', scimPath(world), { body: long });
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /overlap_seconds/);
      const { token, expires_at } = await enable(world, { expires_in_days: 1 });
      assert.equal(expires_at, '2026-01-02T00:00:00.000Z');
      await world.clock.advance(86_400_000 - 1);
      assert.equal(await isValid(token), true);
      await world.clock.advance(1);
      assert.equal(await isValid(token), false);
      assert.equal((await status(world)).enabled, false);
    });

    test('client credentials get an access token of 60 minutes, which ends with the SCIM token', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { authenticate, isValid } = authenticationOf(world);
      const { scimToken: clientSecret, organizationId: clientId } = world.organization;
      const { storage } = world.opened;
      const clients = createScimClientCredentials(world.runtime, { storage });
      const issue = (given: object = {}) =>
        clients.issue({ clientId, clientSecret, ...ORIGIN, ...given });
      assert.equal(await issue({ clientId: 'org_other' }), null);
      assert.equal(await issue({ clientSecret: `${clientSecret}0` }), null);
      const issued = await issue();
      assert.equal(issued?.expiresInSeconds, 3_600);
      const { token } = issued;
      const byToken = await authenticate({ token, ...ORIGIN });
      assert.deepEqual(byToken, await authenticate({ token: clientSecret, ...ORIGIN }));
      assert.equal(await isValid(`${token.slice(0, -2)}xx`), false);
      await world.clock.advance(3_600_000 - 1);
      assert.equal(await isValid(token), true);
      await world.clock.advance(1);
      assert.equal(await isValid(token), false);
      const again = (await issue())?.token ?? '';
      assert.equal(await isValid(again), true);
      const confirm = createScimConfirmation(world.runtime, { storage });
      const confirmed = () =>
        world.opened.database.transaction((session) => confirm(again, session));
      assert.deepEqual(await confirmed(), byToken);
      await enable(world);
      assert.equal(await isValid(again), false);
      assert.equal(await confirmed(), null);
      assert.equal(await issue(), null);
    });

    test('a SCIM token acts as an administrator of its organization, and its last use is shown', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { authenticate, usage } = authenticationOf(world);
      const { scimToken, organizationId } = world.organization;
      const principal = await authenticate({ token: scimToken, ...ORIGIN });
      assert.match(principal?.keyId ?? '', /^sct_/);
      assert.deepEqual(principal, {
        organizationId,
        memberId: principal?.keyId,
        keyId: principal?.keyId,
        role: 'admin',
        plan: 'professional',
      });
      await usage.flush();
      assert.equal((await status(world)).last_used, '2026-01-01T00:00:00.000Z');
    });

    test('a SCIM token is bound to the IP allowlist, and is refused once its organization is deleted', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { authenticate, isValid } = authenticationOf(world);
      const { scimToken, organizationId } = world.organization;
      const path = `/organizations/${organizationId}`;
      const body = { settings: { ip_allowlist: ['127.0.0.1', '198.51.100.0/24'] } };
      assert.equal((await world.send('PATCH', path, { body })).status, 200);
      await assert.rejects(authenticate({ token: scimToken, ...ORIGIN }), { kind: 'forbidden' });
      assert.ok(await authenticate({ token: scimToken, address: '198.51.100.1' }));
      assert.equal((await world.send('DELETE', `${path}?confirm=r-f-undation`)).status, 204);
      assert.equal(await isValid(scimToken), false);
    });

    test('API keys are refused as SCIM tokens, and SCIM tokens as API keys', async (t) => {
      const world = await createPlatformWorld(t, target);
      const { isValid } = authenticationOf(world);
      assert.equal(await isValid(world.organization.apiKey), false);
      const asKey = await world.send('GET', '/roles', { token: world.organization.scimToken });
      assert.equal(asKey.status, 401);
    });

    test('refuses to enable, regenerate or disable SCIM for every role below owner', async (t) => {
      const world = await createPlatformWorld(t, target);
      const before = await status(world);
      for (const role of ['admin', 'editor', 'member', 'viewer'] as const) {
        const { token } = await world.createKey(role);
        for (const method of ['POST', 'DELETE']) {
          const refused = await world.send(method, scimPath(world), { token });
          assert.equal(refused.status, 403, `${method} by ${role}`);
        }
      }
      assert.deepEqual(await status(world), before);
      const { token } = await world.createKey('admin');
      assert.equal((await world.send('GET', scimPath(world), { token })).status, 200);
    });

    for (const overlap of [-1, 604_801, 1.5, '60', null]) {
      test(`a SCIM token overlap of ${JSON.stringify(overlap)} is refused and changes nothing`, async (t) => {
        const world = await createPlatformWorld(t, target);
        const before = await status(world);
        const body = { overlap_seconds: overlap };
        const response = await world.send('POST', scimPath(world), { body });
        assert.equal(response.status, 400);
        const { details } = (await response.json()) as { details: Array<{ field: string }> };
        assert.equal(details[0]?.field, 'overlap_seconds');
        assert.deepEqual(await status(world), before);
      });
    }
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase, OUTSIDE_REQUEST, systemRandom } from '@probity/core';
import { hashSecret, mintToken } from '@probity/core/internal';
import { createTestClock } from '@probity/test-support';
import { createApiKeyAuthentication } from '../../src/credentials/authentication.ts';
import type { ApiKey } from '../../src/credentials/types.ts';
import type { Member } from '../../src/members/types.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import { newApiKey, newMember, newOrganization } from '../../src/testing/records.ts';
import { testRuntime } from '../support.ts';

const ORIGIN = { address: '192.0.2.1' };

/** Stores a key and a member in the given states and returns the authentication of the key. */
async function world(
  key: Partial<ApiKey> = {},
  member: Partial<Member> = {},
  ipAllowlist: readonly string[] = [],
) {
  const database = createMemoryDatabase();
  const storage = createMemoryPlatformStorage(database);
  const token = mintToken('pbk_', systemRandom);
  const base = newOrganization();
  const organization = { ...base, settings: { ...base.settings, ipAllowlist } };
  const owner = newMember(organization.id, member);
  const stored = newApiKey(owner, { tokenHash: hashSecret(token), ...key });
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertOrganization(organization);
    await tx.insertMember(owner);
    await tx.insertApiKey(stored);
  });
  let lookups = 0;
  const used: string[] = [];
  const counting: typeof storage = {
    ...storage,
    identifyApiKey(hash) {
      lookups += 1;
      return storage.identifyApiKey(hash);
    },
  };
  const clock = createTestClock();
  const usage = {
    record: (id: string) => void used.push(id),
    flush: async () => undefined,
    start: async () => undefined,
    stop: async () => undefined,
  };
  const authenticate = createApiKeyAuthentication(testRuntime({ database, clock }), {
    storage: counting,
    usage,
  });
  return { authenticate, token, stored, used, clock, lookups: () => lookups };
}

test('an API key authenticates as its member in its organization, and its use is recorded', async () => {
  const { authenticate, token, stored, used } = await world();
  assert.deepEqual(await authenticate({ token: token, ...ORIGIN }), {
    organizationId: stored.organizationId,
    memberId: stored.memberId,
    keyId: stored.id,
    role: 'editor',
    plan: 'starter',
  });
  assert.deepEqual(used, [stored.id]);
});

test("an API key never has more rights than its member's present role", async () => {
  const { authenticate, token } = await world({ role: 'owner' }, { role: 'viewer' });
  assert.equal((await authenticate({ token: token, ...ORIGIN }))?.role, 'viewer');
  const weaker = await world({ role: 'viewer' }, { role: 'owner' });
  assert.equal((await weaker.authenticate({ token: weaker.token, ...ORIGIN }))?.role, 'viewer');
});

test('revoked keys and those of inactive members are refused, and their use is not recorded', async () => {
  const worlds = await Promise.all([
    world({ revokedAt: new Date(0) }),
    world({}, { status: 'suspended' }),
    world({}, { status: 'pending_invite' }),
    world({ expiresAt: new Date(0) }),
  ]);
  for (const { authenticate, token, used } of worlds) {
    assert.equal(await authenticate({ token: token, ...ORIGIN }), null);
    assert.deepEqual(used, []);
  }
});

test('a mistyped token is refused without a lookup, an unknown one after it', async () => {
  const { authenticate, token, lookups } = await world();
  const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const text of [mistyped, '', 'pbk_', mintToken('psc_', systemRandom)]) {
    assert.equal(await authenticate({ token: text, ...ORIGIN }), null);
  }
  assert.equal(lookups(), 0);
  assert.equal(await authenticate({ token: mintToken('pbk_', systemRandom), ...ORIGIN }), null);
  assert.equal(lookups(), 1);
});

interface AllowlistCase {
  readonly allowlist: readonly string[];
  readonly address: string | null;
  readonly isLetIn: boolean;
}

const allowlistCases: readonly AllowlistCase[] = [
  { allowlist: [], address: '203.0.113.9', isLetIn: true },
  { allowlist: [], address: null, isLetIn: true },
  { allowlist: ['192.0.2.0/24'], address: '192.0.2.255', isLetIn: true },
  { allowlist: ['192.0.2.0/24'], address: '192.0.3.0', isLetIn: false },
  { allowlist: ['198.51.100.1/32', '2001:db8::/32'], address: '2001:db8::1', isLetIn: true },
  { allowlist: ['198.51.100.1/32', '2001:db8::/32'], address: '2001:db9::1', isLetIn: false },
  { allowlist: ['2001:db8::/32'], address: '192.0.2.1', isLetIn: false },
  { allowlist: ['192.0.2.0/24'], address: '::ffff:192.0.2.7', isLetIn: true },
  { allowlist: ['0.0.0.0/0', '::/0'], address: null, isLetIn: false },
];

for (const { allowlist, address, isLetIn } of allowlistCases) {
  const name = `[${allowlist.join(', ')}] ${isLetIn ? 'allows' : 'refuses'} the address ${address}`;
  test(`the IP allowlist ${name}`, async () => {
    const { authenticate, token, used, stored } = await world({}, {}, allowlist);
    for (const _ of ['parsed', 'cached']) {
      const outcome = authenticate({ token: token, address });
      if (isLetIn) assert.equal((await outcome)?.keyId, stored.id);
      else {
        const message = `The address ${address ?? '(unknown)'} is not on the organization's IP allowlist.`;
        await assert.rejects(outcome, { kind: 'forbidden', message });
      }
    }
    assert.equal(used.length, isLetIn ? 2 : 0);
  });
}

test('the allowlist error is not shown for a key that does not authenticate', async () => {
  const { authenticate, token } = await world({ revokedAt: new Date(0) }, {}, ['192.0.2.0/24']);
  assert.equal(await authenticate({ token: token, address: '203.0.113.9' }), null);
});

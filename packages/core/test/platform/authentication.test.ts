import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createMemoryDatabase } from '../../src/memory/database.ts';
import { createApiKeyAuthentication } from '../../src/platform/authentication.ts';
import { createMemoryPlatformStorage } from '../../src/platform/memory.ts';
import type { ApiKey, Member } from '../../src/platform/types.ts';
import { systemRandom } from '../../src/random.ts';
import { hashSecret } from '../../src/secrets.ts';
import { newApiKey, newMember, newOrganization } from '../../src/testing/records.ts';
import { mintToken } from '../../src/tokens.ts';

/** A stored key of a member in these states, and how it authenticates. */
async function world(key: Partial<ApiKey> = {}, member: Partial<Member> = {}) {
  const storage = createMemoryPlatformStorage(createMemoryDatabase());
  const token = mintToken('pbk_', systemRandom);
  const organization = newOrganization();
  const owner = newMember(organization.id, member);
  const stored = newApiKey(owner, { tokenHash: hashSecret(token), ...key });
  await storage.transaction(async (tx) => {
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
  const authenticate = createApiKeyAuthentication({ storage: counting, clock, usage });
  return { authenticate, token, stored, used, clock, lookups: () => lookups };
}

test('a key stands for its member in its organization, and its use is noted', async () => {
  const { authenticate, token, stored, used } = await world();
  assert.deepEqual(await authenticate(token), {
    organizationId: stored.organizationId,
    memberId: stored.memberId,
    keyId: stored.id,
    role: 'editor',
    plan: 'starter',
  });
  assert.deepEqual(used, [stored.id]);
});

test("a key has never more than its member's present role", async () => {
  const { authenticate, token } = await world({ role: 'owner' }, { role: 'viewer' });
  assert.equal((await authenticate(token))?.role, 'viewer');
  const weaker = await world({ role: 'viewer' }, { role: 'owner' });
  assert.equal((await weaker.authenticate(weaker.token))?.role, 'viewer');
});

test('revoked keys and those of members who are not active are refused, and not noted', async () => {
  const worlds = await Promise.all([
    world({ revokedAt: new Date(0) }),
    world({}, { status: 'suspended' }),
    world({}, { status: 'pending_invite' }),
    world({ expiresAt: new Date(0) }),
  ]);
  for (const { authenticate, token, used } of worlds) {
    assert.equal(await authenticate(token), null);
    assert.deepEqual(used, []);
  }
});

test('a mistyped token is refused without a look-up, an unknown one after it', async () => {
  const { authenticate, token, lookups } = await world();
  const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const text of [mistyped, '', 'pbk_', mintToken('psc_', systemRandom)]) {
    assert.equal(await authenticate(text), null);
  }
  assert.equal(lookups(), 0);
  assert.equal(await authenticate(mintToken('pbk_', systemRandom)), null);
  assert.equal(lookups(), 1);
});

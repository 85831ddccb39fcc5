import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { PlatformStorage } from '../storage.ts';
import { withWorld } from '../testing/contract-world.ts';
import { newApiKey } from '../testing/records.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { ApiKey } from './types.ts';

/** Contract checks of API keys, by test title. */
export const apiKeyPromises: PlatformPromises = {
  'API keys are listed oldest first, ties by id, page by page, without revoked ones': withWorld(
    async ({ storage, addMember }) => {
      const member = await addMember();
      const keys = [
        newApiKey(member, { id: 'key_c', createdAt: at(2) }),
        newApiKey(member, { id: 'key_b', createdAt: at(1) }),
        newApiKey(member, { id: 'key_a', createdAt: at(1), expiresAt: at(50), lastUsed: at(3) }),
        newApiKey(member, { id: 'key_r', createdAt: at(0), revokedAt: at(4) }),
      ];
      await insertKeys(storage, keys);
      const first = await storage.listApiKeys(member.organizationId, { limit: 2, offset: 0 });
      assert.deepEqual(first, { items: [keys[2], keys[1]], total: 3 });
      const rest = await storage.listApiKeys(member.organizationId, { limit: 2, offset: 2 });
      assert.deepEqual(rest, { items: [keys[0]], total: 3 });
      const beyond = await storage.listApiKeys(member.organizationId, { limit: 2, offset: 9 });
      assert.deepEqual(beyond, { items: [], total: 3 });
    },
  ),

  'API keys of another organization are not listed': withWorld(async ({ storage, addMember }) => {
    const [own, other] = [await addMember(), await addMember()];
    await insertKeys(storage, [newApiKey(other)]);
    const page = { limit: 10, offset: 0 };
    assert.deepEqual(await storage.listApiKeys(own.organizationId, page), {
      items: [],
      total: 0,
    });
  }),

  'a token hash or an id identifies the API key, the present state of its member, and the plan':
    withWorld(async ({ storage, addMember }) => {
      const member = await addMember({ role: 'member', status: 'suspended' });
      const key = newApiKey(member, { role: 'owner', expiresAt: at(9), revokedAt: at(8) });
      await insertKeys(storage, [key]);
      const identity = {
        keyId: key.id,
        organizationId: member.organizationId,
        memberId: member.id,
        keyRole: 'owner',
        memberRole: 'member',
        memberStatus: 'suspended',
        plan: 'starter',
        ipAllowlist: '[]',
        expiresAt: at(9),
        revokedAt: at(8),
      };
      for (const isHeld of [false, true]) {
        await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
          assert.deepEqual(await tx.identifyApiKey(key.tokenHash, isHeld), identity);
          assert.deepEqual(await tx.identifyApiKeyById(key.id, isHeld), identity);
        });
      }
      assert.equal(await storage.identifyApiKey('0'.repeat(64)), null);
      assert.equal(await storage.identifyApiKeyById('key_none'), null);
    }),

  'an API key is revoked once, by its own organization only': withWorld(
    async ({ storage, addMember }) => {
      const [own, other] = [await addMember(), await addMember()];
      const key = newApiKey(own);
      await insertKeys(storage, [key]);
      const revoke = (organizationId: string, id: string, when: Date) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.revokeApiKey(organizationId, id, when));
      assert.equal(await revoke(other.organizationId, key.id, at(1)), null);
      assert.equal(await revoke(own.organizationId, 'key_none', at(1)), null);
      assert.deepEqual(await revoke(own.organizationId, key.id, at(2)), {
        ...key,
        revokedAt: at(2),
      });
      assert.equal(await revoke(own.organizationId, key.id, at(3)), null);
      assert.deepEqual((await storage.identifyApiKey(key.tokenHash))?.revokedAt, at(2));
    },
  ),

  'last_used of API keys only moves forward; keys that no longer exist are returned': withWorld(
    async ({ storage, addMember }) => {
      const member = await addMember();
      const key = newApiKey(member);
      await insertKeys(storage, [key]);
      for (const ms of [20, 10]) {
        const used = new Map([
          [key.id, at(ms)],
          ['key_none', at(ms)],
        ]);
        const touch = storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchApiKeys(used));
        assert.deepEqual(await touch, ['key_none']);
      }
      const { items } = await storage.listApiKeys(member.organizationId, { limit: 1, offset: 0 });
      assert.deepEqual(items[0]?.lastUsed, at(20));
    },
  ),
};

function insertKeys(storage: PlatformStorage, keys: readonly ApiKey[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const key of keys) await tx.insertApiKey(key);
  });
}

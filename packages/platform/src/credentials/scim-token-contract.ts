import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { Organization } from '../organizations/types.ts';
import type { PlatformStorage } from '../storage.ts';
import { newOrganization, newScimToken } from '../testing/records.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { ScimToken } from './types.ts';

/** Contract checks of SCIM tokens, by test title. */
export const scimTokenPromises: PlatformPromises = {
  'SCIM tokens are listed newest first, ties by id, without those revoked': async ({ storage }) => {
    const [own, other] = [await insertOrganization(storage), await insertOrganization(storage)];
    const tokens = [
      newScimToken(own.id, { id: 'sct_a', createdAt: at(1) }),
      newScimToken(own.id, { id: 'sct_b', createdAt: at(1), expiresAt: at(2), lastUsed: at(3) }),
      newScimToken(own.id, { id: 'sct_c', createdAt: at(9) }),
      newScimToken(own.id, { id: 'sct_r', createdAt: at(5), revokedAt: at(6) }),
      newScimToken(other.id),
    ];
    await insertTokens(storage, tokens);
    const listed = await storage.listScimTokens(own.id);
    assert.deepEqual(listed, [tokens[2], tokens[1], tokens[0]]);
    assert.deepEqual(await storage.listScimTokens('org_none'), []);
  },

  "a SCIM token's hash leads to it, with the plan and the allowlist of its organization": async ({
    storage,
  }) => {
    const { id: organizationId } = await insertOrganization(storage, ['192.0.2.0/24']);
    const token = newScimToken(organizationId, { expiresAt: at(9), revokedAt: at(8) });
    await insertTokens(storage, [token]);
    assert.deepEqual(await storage.identifyScimToken(token.tokenHash), {
      tokenId: token.id,
      organizationId,
      plan: 'starter',
      ipAllowlist: '["192.0.2.0/24"]',
      expiresAt: at(9),
      revokedAt: at(8),
    });
    assert.equal(await storage.identifyScimToken('0'.repeat(64)), null);
    const held = await storage.transaction(OUTSIDE_REQUEST, async (tx) => [
      await tx.identifyScimToken(token.tokenHash, true),
      await tx.identifyScimTokenById(token.id, true),
      await tx.identifyScimTokenById('sct_none', true),
    ]);
    const identity = await storage.identifyScimToken(token.tokenHash);
    assert.deepEqual(held, [identity, identity, null]);
    assert.deepEqual(await storage.identifyScimTokenById(token.id), identity);
  },

  'a SCIM token is revoked once; until then its expiry can be set': async ({ storage }) => {
    const { id } = await insertOrganization(storage);
    const token = newScimToken(id);
    await insertTokens(storage, [token]);
    const identity = () => storage.identifyScimToken(token.tokenHash);
    await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.expireScimToken(token.id, at(5)));
    assert.deepEqual((await identity())?.expiresAt, at(5));
    for (const ms of [1, 2]) {
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.revokeScimToken(token.id, at(ms)));
    }
    await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.expireScimToken(token.id, at(99)));
    assert.deepEqual((await identity())?.revokedAt, at(1));
    assert.deepEqual((await identity())?.expiresAt, at(5));
  },

  'last_used of SCIM tokens only moves forward; tokens that no longer exist are ignored': async ({
    storage,
  }) => {
    const { id } = await insertOrganization(storage);
    const token = newScimToken(id);
    await insertTokens(storage, [token]);
    for (const ms of [20, 10]) {
      const used = new Map([
        [token.id, at(ms)],
        ['sct_none', at(ms)],
      ]);
      const touch = storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchScimTokens(used));
      assert.deepEqual(await touch, ['sct_none']);
    }
    assert.deepEqual((await storage.listScimTokens(id))[0]?.lastUsed, at(20));
  },
};

async function insertOrganization(
  storage: PlatformStorage,
  ipAllowlist: readonly string[] = [],
): Promise<Organization> {
  const base = newOrganization();
  const organization = { ...base, settings: { ...base.settings, ipAllowlist } };
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  return organization;
}

function insertTokens(storage: PlatformStorage, tokens: readonly ScimToken[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const token of tokens) await tx.insertScimToken(token);
  });
}

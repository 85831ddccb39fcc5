import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at, withDatabase } from '@probity/core/testing';
import { describeScimTokens } from '../credentials/scim-token-contract.ts';
import { newApiKey, newMember, newOrganization } from '../testing/records.ts';
import type { PlatformContractTarget } from '../testing/targets.ts';
import { describeOrganizationChanges } from './change-contract.ts';
import type { PlatformStorage } from './storage.ts';
import type { ApiKey, Member, Organization } from './types.ts';

/**
 * The contract of {@link PlatformStorage} as node:test suites: organizations, members, API keys
 * and SCIM tokens. Every adapter must pass it.
 */
export function describePlatformStorageContract(target: PlatformContractTarget): void {
  describe(`${target.name}: platform storage`, () => {
    describeOrganizationRows(target);
    describeMembers(target);
    describeKeyLists(target);
    describeKeyIdentity(target);
    describeKeyChanges(target);
    describeOrganizationChanges(target);
    describeScimTokens(target);
  });
}

function describeOrganizationRows(target: PlatformContractTarget): void {
  test('an organization comes back as it was stored', () =>
    withDatabase(target, async ({ platform }) => {
      const stored = newOrganization({
        description: 'Zeile 1\nZeile 2',
        website: 'https://example.com/ü',
        timezone: 'Europe/Copenhagen',
        settings: {
          ssoEnabled: true,
          ssoProvider: 'okta',
          ipAllowlist: ['192.0.2.0/24', '2001:db8::/32'],
          dataResidency: 'eu',
        },
        plan: 'professional',
        createdAt: at(123),
      });
      await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(stored));
      assert.deepEqual(await platform.findOrganization(stored.id), { ...stored, membersCount: 0 });
      assert.equal(await platform.findOrganization('org_none'), null);
    }));

  test('the ids of all organizations are listed in their order', () =>
    withDatabase(target, async ({ platform }) => {
      assert.deepEqual(await platform.listOrganizationIds(), []);
      const ids = [newOrganization(), newOrganization()].map((organization) => organization.id);
      for (const id of [...ids].reverse()) {
        await platform.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertOrganization(newOrganization({ id })),
        );
      }
      assert.deepEqual(await platform.listOrganizationIds(), [...ids].sort());
    }));

  test('a slug is unique: the second organization is refused and leaves nothing', () =>
    withDatabase(target, async ({ platform }) => {
      const [first, second] = [
        newOrganization({ slug: 'same' }),
        newOrganization({ slug: 'same' }),
      ];
      assert.equal(await platform.isSlugTaken('same'), false);
      await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(first));
      const refused = platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(second));
      await assert.rejects(refused, { kind: 'already_exists' });
      assert.equal(await platform.isSlugTaken('same'), true);
      assert.equal(await platform.countOrganizations(), 1);
    }));

  test('of parallel organizations with one slug exactly one is stored', () =>
    withDatabase(target, async ({ platform }) => {
      const attempts = Array.from({ length: 6 }, () =>
        platform.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertOrganization(newOrganization({ slug: 'race' })),
        ),
      );
      const results = await Promise.allSettled(attempts);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await platform.countOrganizations(), 1);
    }));
}

function describeMembers(target: PlatformContractTarget): void {
  test('a member comes back as stored, to its own organization only', () =>
    withDatabase(target, async ({ platform }) => {
      const [own, other] = [await insertOrganization(platform), await insertOrganization(platform)];
      const member = newMember(own.id, {
        email: 'Åse@Example.com',
        name: 'Åse',
        mfaEnabled: true,
        lastLogin: at(5),
      });
      await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(member));
      assert.deepEqual(await platform.findMember(own.id, member.id), member);
      assert.equal(await platform.findMember(other.id, member.id), null);
      assert.equal(await platform.findMember(own.id, 'mem_none'), null);
    }));

  test('an e-mail is unique within an organization without regard to case', () =>
    withDatabase(target, async ({ platform }) => {
      const [own, other] = [await insertOrganization(platform), await insertOrganization(platform)];
      const insert = (organizationId: string, email: string) =>
        platform.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertMember(newMember(organizationId, { email })),
        );
      await insert(own.id, 'a@example.com');
      await assert.rejects(insert(own.id, 'A@Example.COM'), { kind: 'already_exists' });
      await insert(other.id, 'a@example.com');
    }));

  test('the count of members leaves out the suspended', () =>
    withDatabase(target, async ({ platform }) => {
      const { id } = await insertOrganization(platform);
      await platform.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const status of ['active', 'pending_invite', 'suspended'] as const) {
          await tx.insertMember(newMember(id, { status }));
        }
      });
      assert.equal((await platform.findOrganization(id))?.membersCount, 2);
    }));
}

function describeKeyLists(target: PlatformContractTarget): void {
  test('keys are listed oldest first, ties by id, page by page, without those revoked', () =>
    withDatabase(target, async ({ platform }) => {
      const member = await insertMember(platform);
      const keys = [
        newApiKey(member, { id: 'key_c', createdAt: at(2) }),
        newApiKey(member, { id: 'key_b', createdAt: at(1) }),
        newApiKey(member, { id: 'key_a', createdAt: at(1), expiresAt: at(50), lastUsed: at(3) }),
        newApiKey(member, { id: 'key_r', createdAt: at(0), revokedAt: at(4) }),
      ];
      await insertKeys(platform, keys);
      const first = await platform.listApiKeys(member.organizationId, { limit: 2, offset: 0 });
      assert.deepEqual(first, { items: [keys[2], keys[1]], total: 3 });
      const rest = await platform.listApiKeys(member.organizationId, { limit: 2, offset: 2 });
      assert.deepEqual(rest, { items: [keys[0]], total: 3 });
      const beyond = await platform.listApiKeys(member.organizationId, { limit: 2, offset: 9 });
      assert.deepEqual(beyond, { items: [], total: 3 });
    }));

  test('keys of another organization are not listed', () =>
    withDatabase(target, async ({ platform }) => {
      const [own, other] = [await insertMember(platform), await insertMember(platform)];
      await insertKeys(platform, [newApiKey(other)]);
      const page = { limit: 10, offset: 0 };
      assert.deepEqual(await platform.listApiKeys(own.organizationId, page), {
        items: [],
        total: 0,
      });
    }));
}

function describeKeyIdentity(target: PlatformContractTarget): void {
  test('a hash leads to the key, the present state of its member, and the plan', () =>
    withDatabase(target, async ({ platform }) => {
      const member = await insertMember(platform, { role: 'member', status: 'suspended' });
      const key = newApiKey(member, { role: 'owner', expiresAt: at(9), revokedAt: at(8) });
      await insertKeys(platform, [key]);
      assert.deepEqual(await platform.identifyApiKey(key.tokenHash), {
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
      });
      assert.equal(await platform.identifyApiKey('0'.repeat(64)), null);
    }));
}

function describeKeyChanges(target: PlatformContractTarget): void {
  test('a key is revoked once, by its own organization only', () =>
    withDatabase(target, async ({ platform }) => {
      const [own, other] = [await insertMember(platform), await insertMember(platform)];
      const key = newApiKey(own);
      await insertKeys(platform, [key]);
      const revoke = (organizationId: string, id: string, when: Date) =>
        platform.transaction(OUTSIDE_REQUEST, (tx) => tx.revokeApiKey(organizationId, id, when));
      assert.equal(await revoke(other.organizationId, key.id, at(1)), null);
      assert.equal(await revoke(own.organizationId, 'key_none', at(1)), null);
      assert.deepEqual(await revoke(own.organizationId, key.id, at(2)), {
        ...key,
        revokedAt: at(2),
      });
      assert.equal(await revoke(own.organizationId, key.id, at(3)), null);
      assert.deepEqual((await platform.identifyApiKey(key.tokenHash))?.revokedAt, at(2));
    }));

  test('the time of last use only moves forward; keys that are gone are passed over', () =>
    withDatabase(target, async ({ platform }) => {
      const member = await insertMember(platform);
      const key = newApiKey(member);
      await insertKeys(platform, [key]);
      for (const ms of [20, 10]) {
        const used = new Map([
          [key.id, at(ms)],
          ['key_none', at(ms)],
        ]);
        await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.touchApiKeys(used));
      }
      const { items } = await platform.listApiKeys(member.organizationId, { limit: 1, offset: 0 });
      assert.deepEqual(items[0]?.lastUsed, at(20));
    }));
}

async function insertOrganization(platform: PlatformStorage): Promise<Organization> {
  const organization = newOrganization();
  await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  return organization;
}

async function insertMember(
  platform: PlatformStorage,
  given: Partial<Member> = {},
): Promise<Member> {
  const member = newMember((await insertOrganization(platform)).id, given);
  await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(member));
  return member;
}

function insertKeys(platform: PlatformStorage, keys: readonly ApiKey[]): Promise<void> {
  return platform.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const key of keys) await tx.insertApiKey(key);
  });
}

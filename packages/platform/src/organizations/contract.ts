import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '@probity/core/testing';
import { withContractWorld } from '../testing/contract-world.ts';
import { newMember, newOrganization } from '../testing/records.ts';
import type { PlatformContractTarget } from '../testing/targets.ts';

/** Contract suite for organizations. */
export function describeOrganizations(target: PlatformContractTarget): void {
  test('an organization is read back as stored', () =>
    withContractWorld(target, async ({ storage, write }) => {
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
      await write((tx) => tx.insertOrganization(stored));
      assert.deepEqual(await storage.findOrganization(stored.id), { ...stored, membersCount: 0 });
      assert.equal(await storage.findOrganization('org_none'), null);
    }));

  test('the ids of all organizations are listed in ascending order', () =>
    withContractWorld(target, async ({ storage, write }) => {
      assert.deepEqual(await storage.listOrganizationIds(), []);
      const ids = [newOrganization(), newOrganization()].map((organization) => organization.id);
      for (const id of [...ids].reverse()) {
        await write((tx) => tx.insertOrganization(newOrganization({ id })));
      }
      assert.deepEqual(await storage.listOrganizationIds(), [...ids].sort());
    }));

  test('a slug is unique: the second organization is refused and stores nothing', () =>
    withContractWorld(target, async ({ storage, write }) => {
      const [first, second] = [
        newOrganization({ slug: 'same' }),
        newOrganization({ slug: 'same' }),
      ];
      assert.equal(await storage.isSlugTaken('same'), false);
      await write((tx) => tx.insertOrganization(first));
      const refused = write((tx) => tx.insertOrganization(second));
      await assert.rejects(refused, { kind: 'already_exists' });
      assert.equal(await storage.isSlugTaken('same'), true);
      assert.equal(await storage.countOrganizations(), 1);
    }));

  test('of parallel inserts of organizations with one slug exactly one is stored', () =>
    withContractWorld(target, async ({ storage, write }) => {
      const attempts = Array.from({ length: 6 }, () =>
        write((tx) => tx.insertOrganization(newOrganization({ slug: 'race' }))),
      );
      const results = await Promise.allSettled(attempts);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await storage.countOrganizations(), 1);
    }));

  test('the member count of an organization leaves out suspended members', () =>
    withContractWorld(target, async ({ storage, addOrganization, write }) => {
      const { id } = await addOrganization();
      await write(async (tx) => {
        for (const status of ['active', 'pending_invite', 'suspended'] as const) {
          await tx.insertMember(newMember(id, { status }));
        }
      });
      assert.equal((await storage.findOrganization(id))?.membersCount, 2);
    }));
}

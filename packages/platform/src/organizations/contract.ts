import assert from 'node:assert/strict';
import { at } from '@probity/core/testing';
import { withWorld } from '../testing/contract-world.ts';
import { newMember, newOrganization } from '../testing/records.ts';
import type { PlatformPromises } from '../testing/targets.ts';

/** Contract checks of organizations, by test title. */
export const organizationPromises: PlatformPromises = {
  'an organization is read back as stored': withWorld(async ({ storage, write }) => {
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
  }),

  'the ids of all organizations are listed in ascending order': withWorld(
    async ({ storage, write }) => {
      assert.deepEqual(await storage.listOrganizationIds(), []);
      const ids = [newOrganization(), newOrganization()].map((organization) => organization.id);
      for (const id of [...ids].reverse()) {
        await write((tx) => tx.insertOrganization(newOrganization({ id })));
      }
      assert.deepEqual(await storage.listOrganizationIds(), [...ids].sort());
    },
  ),

  'a slug is unique: the second organization is refused and stores nothing': withWorld(
    async ({ storage, write }) => {
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
    },
  ),

  'of parallel inserts of organizations with one slug exactly one is stored': withWorld(
    async ({ storage, write }) => {
      const attempts = Array.from({ length: 6 }, () =>
        write((tx) => tx.insertOrganization(newOrganization({ slug: 'race' }))),
      );
      const results = await Promise.allSettled(attempts);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await storage.countOrganizations(), 1);
    },
  ),

  'the member count of an organization leaves out suspended members': withWorld(
    async ({ storage, addOrganization, write }) => {
      const { id } = await addOrganization();
      await write(async (tx) => {
        for (const status of ['active', 'pending_invite', 'suspended'] as const) {
          await tx.insertMember(newMember(id, { status }));
        }
      });
      assert.equal((await storage.findOrganization(id))?.membersCount, 2);
    },
  ),
};

import { bootstrapOrganization, createIds, systemClock, systemRandom } from '@probity/core';
import { createTestOrganization, platformStorageOf } from '@probity/core/testing';
import { describeGovernanceStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of targets) {
  describeGovernanceStorage({
    name: target.name,
    async open() {
      const opened = await target.open();
      const first = await createTestOrganization(opened);
      const second = await bootstrapOrganization(
        {
          storage: platformStorageOf(opened),
          ids: createIds(),
          clock: systemClock,
          random: systemRandom,
        },
        { organizationName: 'Other', ownerEmail: 'owner@other.example', plan: 'free' },
      );
      return {
        storage: storageOf(opened),
        organizationIds: [first.organizationId, second.organizationId],
        dispose: () => opened.dispose(),
      };
    },
  });
}

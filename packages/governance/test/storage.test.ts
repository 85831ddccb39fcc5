import { createTestTenant } from '@probity/core/testing';
import { describeGovernanceStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of targets) {
  describeGovernanceStorage({
    name: target.name,
    async open() {
      const opened = await target.open();
      const first = await createTestTenant(opened);
      const second = await createTestTenant(opened);
      return {
        storage: storageOf(opened),
        organizationIds: [first.organizationId, second.organizationId],
        dispose: () => opened.dispose(),
      };
    },
  });
}

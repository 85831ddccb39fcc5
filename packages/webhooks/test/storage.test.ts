import { createTestTenant } from '@probity/core/testing';
import { describeWebhookStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of targets) {
  describeWebhookStorage({
    name: target.name,
    async open() {
      const opened = await target.open();
      return {
        storage: storageOf(opened),
        createOrganization: async () => (await createTestTenant(opened)).organizationId,
        dispose: () => opened.dispose(),
      };
    },
  });
}

import { describeUsageStorageContract } from '../../src/usage/contract.ts';
import { billingStoragesOf, sqlBillingStorages } from '../billing/storages.ts';
import { targets } from '../support.ts';

for (const target of targets) {
  describeUsageStorageContract({
    name: target.name,
    async open() {
      const opened = await target.open();
      return {
        platform: opened.platform,
        usage: billingStoragesOf(opened).usageStorage,
        openAnother() {
          const another = opened.openAnother();
          return another && sqlBillingStorages(another).usageStorage;
        },
        dispose: opened.dispose,
      };
    },
  });
}

import { describeBillingStorageContract } from '../../src/billing/contract.ts';
import { targets } from '../support.ts';
import { billingStoragesOf } from './storages.ts';

for (const target of targets) {
  describeBillingStorageContract({
    name: target.name,
    async open() {
      const opened = await target.open();
      const { platform, dispose } = opened;
      return { platform, billing: billingStoragesOf(opened).billingStorage, dispose };
    },
  });
}

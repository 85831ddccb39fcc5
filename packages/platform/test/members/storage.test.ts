import { describeMemberStorageContract } from '../../src/members/contract.ts';
import { targets } from '../support.ts';
import { memberStorageOf } from './storages.ts';

for (const target of targets) {
  describeMemberStorageContract({
    name: target.name,
    async open() {
      const opened = await target.open();
      return { ...opened, members: memberStorageOf(opened) };
    },
  });
}

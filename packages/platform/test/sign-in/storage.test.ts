import { describeSignInStorageContract } from '../../src/sign-in/contract.ts';
import { memberStorageOf } from '../members/storages.ts';
import { targets } from '../support.ts';
import { signInStorageOf } from './storages.ts';

for (const target of targets) {
  describeSignInStorageContract({
    name: target.name,
    async open() {
      const opened = await target.open();
      return { ...opened, members: memberStorageOf(opened), signIn: signInStorageOf(opened) };
    },
  });
}

import { describeDatabaseContract } from '../src/testing/database-contract.ts';
import { describePlatformStorageContract } from '../src/testing/platform-contract.ts';
import { targets } from './support.ts';

for (const target of targets) {
  describeDatabaseContract(target);
  describePlatformStorageContract(target);
}

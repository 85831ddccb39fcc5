import { describeDatabaseContract } from '../src/storage/contract.ts';
import { targets } from './support.ts';

for (const target of targets) {
  describeDatabaseContract(target);
}

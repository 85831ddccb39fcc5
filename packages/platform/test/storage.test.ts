import { describePlatformStorageContract } from '../src/testing/contract.ts';
import { targets } from './support.ts';

for (const target of targets) describePlatformStorageContract(target);

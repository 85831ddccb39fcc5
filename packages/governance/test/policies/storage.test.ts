import { storageTargets } from '@probity/core/testing';
import { describePolicyStorage } from '../../src/testing.ts';
import { policyStorageOf, targets } from '../world.ts';

for (const target of storageTargets(targets, policyStorageOf)) describePolicyStorage(target);

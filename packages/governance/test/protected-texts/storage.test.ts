import { storageTargets } from '@probity/core/testing';
import { describeProtectedTextStorage } from '../../src/testing.ts';
import { protectedTextStorageOf, targets } from '../world.ts';

for (const target of storageTargets(targets, protectedTextStorageOf)) {
  describeProtectedTextStorage(target);
}

import { storageTargets } from '@probity/core/testing';
import { describeBatchStorage } from '../../src/testing.ts';
import { batchStorageOf, targets } from '../world.ts';

for (const target of storageTargets(targets, batchStorageOf)) describeBatchStorage(target);

import { storageTargets } from '@probity/core/testing';
import { describeUpkeepStorage } from '../../src/testing.ts';
import { targets, upkeepStorageOf } from '../world.ts';

for (const target of storageTargets(targets, upkeepStorageOf)) describeUpkeepStorage(target);

import { storageTargets } from '@probity/core/testing';
import { describeScimStorage } from '../src/testing.ts';
import { storageOf, targets } from './targets.ts';

for (const target of storageTargets(targets, storageOf)) describeScimStorage(target);

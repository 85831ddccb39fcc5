import { storageTargets } from '@probity/core/testing';
import { describeSampleStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of storageTargets(targets, storageOf)) describeSampleStorage(target);

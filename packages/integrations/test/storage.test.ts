import { storageTargets } from '@probity/core/testing';
import { describeIntegrationsStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of storageTargets(targets, storageOf)) describeIntegrationsStorage(target);

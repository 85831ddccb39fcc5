import { storageTargets } from '@probity/core/testing';
import { describeKnowledgeStorage } from '../src/testing.ts';
import { storageOf, targets } from './world.ts';

for (const target of storageTargets(targets, storageOf)) describeKnowledgeStorage(target);

import type { TestDatabase } from '@probity/core/testing';
import { storageTargets } from '@probity/core/testing';
import type { ScimActivityStorage } from '../../src/index.ts';
import { createMemoryScimActivityStorage } from '../../src/index.ts';
import { createSqlScimActivityStorage } from '../../src/sql.ts';
import { describeScimActivityStorage } from '../../src/testing.ts';
import { targets } from '../targets.ts';

function storageOf(opened: TestDatabase): ScimActivityStorage {
  return opened.kind === 'memory'
    ? createMemoryScimActivityStorage(opened.database)
    : createSqlScimActivityStorage(opened.database);
}

for (const target of storageTargets(targets, storageOf)) describeScimActivityStorage(target);

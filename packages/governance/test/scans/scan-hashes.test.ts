import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { contextOf, createIds, systemClock } from '@probity/core';
import { createPipeline } from '@probity/pipeline';
import { decideScan } from '../../src/scans/scan.ts';

const facilities = { clock: systemClock, ids: createIds(), secretBox: undefined };
const pipeline = createPipeline({ stages: [] });

test('only the record of a scan that is stored has hashes of its texts', async () => {
  const decide = async (isStored?: boolean) => {
    const decision = { pipeline, policies: [], ...(isStored !== undefined && { isStored }) };
    const context = contextOf({ organizationId: 'org_1' });
    const { scan } = await decideScan(facilities, context, { response: 'Hello.' }, decision);
    return scan.responseHash;
  };
  const hash = createHash('sha256').update('Hello.').digest('hex');
  assert.deepEqual([await decide(), await decide(true), await decide(false)], [hash, hash, null]);
});

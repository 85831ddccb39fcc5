import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPipeline } from '@probity/pipeline';
import { createGovernanceCapability } from '../src/koa.ts';
import { BENIGN, createWorld } from './world.ts';

test('the governance capability brings services, endpoints, retention and metrics', async (t) => {
  const { runtime, storage, context } = await createWorld(t);
  const capability = createGovernanceCapability(runtime, { storage, pipeline: createPipeline() });
  const { scan } = await capability.services.scans.scan(context, { response: BENIGN });
  assert.deepEqual(await storage.findScan(context.principal.organizationId, scan.id), scan);
  const [group] = capability.groups;
  assert.equal(group?.prefix, '/api/v1');
  const operations = group?.endpoints.map(({ operationId }) => operationId);
  assert.deepEqual(operations, ['scanContent', 'listAlerts', 'getAlert']);
  assert.deepEqual(
    capability.retention?.map(({ name }) => name),
    ['scans_with_personal_data'],
  );
  assert.deepEqual(
    capability.metrics?.map(({ name }) => name),
    ['probity_scan_stages_total'],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPipeline } from '@probity/pipeline';
import { governance } from '../src/index.ts';
import { createGovernanceCapability } from '../src/koa.ts';
import { BENIGN, createWorld, storagesOf } from './world.ts';

test('the governance capability brings services, endpoints, retention and metrics', async (t) => {
  const { runtime, storage, context, opened } = await createWorld(t);
  const capability = createGovernanceCapability(runtime, {
    ...storagesOf(opened),
    pipeline: createPipeline(),
  });
  const { scan } = await capability.services.scans.scan(context, { response: BENIGN });
  assert.deepEqual(await storage.findScan(context.principal.organizationId, scan.id), scan);
  const [group] = capability.groups;
  assert.equal(group?.prefix, '/api/v1');
  const operations = group?.endpoints.map(({ operationId }) => operationId);
  assert.deepEqual(operations, [
    ...['scan', 'scanStream', 'listScans', 'getScan'],
    ...['createScanBatch', 'listScanBatchItems', 'cancelScanBatch', 'restoreRedacted'],
    ...['createPolicy', 'listPolicies', 'getPolicy', 'updatePolicy', 'deletePolicy'],
    ...['listPolicyVersions', 'dryRunPolicy'],
    ...['createProtectedText', 'listProtectedTexts', 'getProtectedText'],
    ...['updateProtectedText', 'deleteProtectedText'],
    ...['listAlerts', 'getAlert', 'listAlertHistory', 'listAlertComments'],
    ...['resolveAlert', 'acknowledgeAlert', 'assignAlert', 'commentAlert'],
    ...['resolveManyAlerts', 'acknowledgeManyAlerts', 'assignManyAlerts'],
    ...['getGovernanceSettings', 'updateGovernanceSettings'],
    ...['guardLitellm', 'guardAgentgatewayRequest', 'guardAgentgatewayResponse'],
    ...['guardPortkey', 'createModeration'],
  ]);
  assert.deepEqual(
    capability.retention?.map(({ name }) => name),
    ['scans_with_personal_data', 'scans', 'resolved_alerts', 'scan_batches'],
  );
  assert.deepEqual(
    capability.metrics?.map(({ name }) => name),
    ['probity_scan_stages_total'],
  );
});

test('governance refuses a setting of the wrong form by name', () => {
  for (const [settings, message] of [
    [{ storage: {} }, /governance: storage must be .*; findScan is no function/],
    [{ prefix: 'gov' }, /governance: prefix must be a path/],
    [{ prefix: '/gov/' }, /governance: prefix must be a path/],
    [{ pipeline: {} }, /governance: pipeline must be .*; scan is no function/],
    [{ policies: [{ id: 'p' }] }, /policies\.0\.name/],
    [{ stages: [{ name: 'pii' }] }, /stages\[0\]\.name: expected one of/],
    [{ stages: [], pipeline: createPipeline() }, /governance: pipeline has its own stages/],
  ] as const) {
    assert.throws(() => governance(settings as never), message);
  }
});

test('governance scans with the stages that it is given', async (t) => {
  const { createProbity, contextOf } = await import('@probity/core');
  const probity = createProbity({
    database: 'memory',
    authenticate: () => null,
    capabilities: [governance({ stages: [{ name: 'injection_scanner' }] })],
  });
  t.after(() => probity.stop());
  await probity.migrate();
  const context = contextOf({ organizationId: 'acme' });
  const { scan, stages } = await probity.services.governance.scan(context, {
    response: 'Her SSN is 536-22-8145.',
  });
  assert.equal(scan.verdict, 'allowed');
  assert.deepEqual(
    stages.map(({ name }) => name),
    ['injection_scanner'],
  );
});

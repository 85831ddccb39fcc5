import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StageFactory } from '@probity/pipeline';
import { at, startGateway } from './world.ts';

const STAGES = [
  ...(['pii_scanner', 'injection_scanner', 'toxicity_scanner'] as const),
  ...(['secrets_scanner', 'terms_scanner', 'contamination_check'] as const),
];

/** A stage that fails at each text. */
const failing: StageFactory = (() => ({
  name: 'pii_scanner',
  targets: ['response'],
  run() {
    throw new Error('the detector is broken');
  },
})) as never;

for (const name of STAGES) {
  test(`stage_config.${name}.fail_open decides whether a failure passes or blocks`, async (t) => {
    const pipeline = { stages: { [name]: failing } } as never;
    const further = name === 'terms_scanner' ? ', lists: [{terms: [heron]}]' : '';
    const listed = `scanning: {stages: [{name: ${name}}]}\n`;
    const start = (isOpen: boolean) => {
      const options = `stage_config: {${name}: {fail_open: ${isOpen}${further}}}`;
      return startGateway(t, listed + options, { pipeline });
    };
    const open = await start(true);
    const closed = await start(false);
    const passed = await open.scan({ response: 'Hello.' });
    assert.equal(passed.status, 200);
    assert.equal(at(passed.body, 'data.verdict'), 'flagged');
    const stages = at(passed.body, 'data.stages') as { name: string; status: string }[];
    assert.equal(stages.find((stage) => stage.name === name)?.status, 'failed');
    const blocked = await closed.scan({ response: 'Hello.' });
    assert.equal(blocked.status, 403);
    assert.equal(at(blocked.body, 'error.code'), 'POLICY_BLOCKED');
    assert.match(
      await closed.metrics(),
      new RegExp(`gateway_stage_failures_total\\{stage="${name}",mode="closed"\\} 1`),
    );
    assert.match(
      await open.metrics(),
      new RegExp(`gateway_stage_failures_total\\{stage="${name}",mode="open"\\} 1`),
    );
    assert.ok(
      open.records().some(({ level, stage }) => level === 'WARN' && stage === name),
      'the failure is logged',
    );
  });
}

/** A stage that never comes to its end. */
const hanging: StageFactory = (() => ({
  name: 'pii_scanner',
  targets: ['response'],
  run: () => new Promise<void>(() => undefined),
})) as never;

test('server.request_timeout_ms ends a scan with 504', async (t) => {
  const pipeline = { stages: { pii_scanner: hanging } } as never;
  const text =
    'server: {host: 127.0.0.1, port: 0, request_timeout_ms: 50}\n' +
    'stage_config: {pii_scanner: {timeout_ms: 60000}}\n' +
    'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}';
  const gateway = await startGateway(t, text, { pipeline });
  const { status, body } = await gateway.scan({ response: 'Hello.' });
  assert.equal(status, 504);
  assert.equal(at(body, 'error.code'), 'SERVICE_UNAVAILABLE');
  assert.match(await gateway.metrics(), /gateway_requests_total\{method="scan",status="error"\} 1/);
});

for (const name of ['secrets_scanner', 'terms_scanner']) {
  test(`stage_config.${name}.timeout_ms ends the stage, and the scan goes on without it`, async (t) => {
    const pipeline = { stages: { [name]: hanging } } as never;
    const text = `scanning: {stages: [{name: ${name}}]}\nstage_config: {terms_scanner: {timeout_ms: 20, lists: [{terms: [heron]}]}, secrets_scanner: {timeout_ms: 20}}`;
    const { body } = await (await startGateway(t, text, { pipeline })).scan({ response: 'Hello.' });
    const stages = at(body, 'data.stages') as { name: string; status: string }[];
    assert.deepEqual(
      stages.map((stage) => stage.status),
      ['timeout'],
    );
  });
}

test('stage_config.<stage>.timeout_ms ends a stage, and the scan goes on without it', async (t) => {
  const pipeline = { stages: { pii_scanner: hanging } } as never;
  const gateway = await startGateway(t, 'stage_config: {pii_scanner: {timeout_ms: 20}}', {
    pipeline,
  });
  const { status, body } = await gateway.scan({ response: 'Hello.' });
  assert.equal(status, 200);
  const stages = at(body, 'data.stages') as { name: string; status: string }[];
  assert.equal(stages.find(({ name }) => name === 'pii_scanner')?.status, 'timeout');
  assert.equal(stages.at(-1)?.status, 'ok');
});

test('monitoring.alerts.error_rate_threshold raises an alert that the health probe shows', async (t) => {
  const pipeline = { stages: { pii_scanner: hanging } } as never;
  const text =
    'server: {host: 127.0.0.1, port: 0, request_timeout_ms: 1}\nrate_limiting: {enabled: false}\n' +
    'stage_config: {pii_scanner: {timeout_ms: 60000}}\n' +
    'monitoring: {prometheus: {port: 0}, health_check: {port: 0}, alerts: {error_rate_threshold: 0.5}}';
  const gateway = await startGateway(t, text, { pipeline });
  const scans = Array.from({ length: 21 }, () => gateway.scan({ response: 'Hello.' }));
  await Promise.all(scans);
  const { body } = await gateway.call('/health');
  assert.equal(at(body, 'status'), 'degraded');
  assert.match(await gateway.metrics(), /gateway_alert_active\{alert="error_rate"\} 1/);
  assert.ok(
    gateway.lines.some((line) => line.includes('"alert":"error_rate"')),
    'a record alert is written',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { createAlertMonitor } from '../../src/monitoring/alert-monitor.ts';

const THRESHOLDS = {
  error_rate_threshold: 0.1,
  latency_threshold_ms: 100,
  pii_detection_spike: 10,
};

function createMonitor() {
  const clock = createTestClock();
  const monitor = createAlertMonitor({ clock, logger: silentLogger, thresholds: () => THRESHOLDS });
  const record = (count: number, request: Partial<Parameters<typeof monitor.record>[0]>) => {
    for (let at = 0; at < count; at++) {
      monitor.record({ isError: false, durationMs: 1, pii: 0, ...request });
    }
  };
  return { clock, monitor, record };
}

test('an error rate says nothing below 20 requests', () => {
  const { monitor, record } = createMonitor();
  record(19, { isError: true });
  assert.equal(monitor.active().error_rate, false);
  record(1, { isError: true });
  assert.equal(monitor.active().error_rate, true);
});

test('an alert begins above its threshold and ends below 80 % of it', () => {
  const { monitor, record } = createMonitor();
  record(90, {});
  record(10, { isError: true });
  assert.equal(monitor.active().error_rate, false, '10 % is not above 10 %');
  record(1, { isError: true });
  assert.equal(monitor.active().error_rate, true);
  record(30, {});
  assert.equal(monitor.active().error_rate, true, '8.4 % is not below 8 %');
  record(10, {});
  assert.equal(monitor.active().error_rate, false);
});

test('latency is the 95th percentile of the last 60 seconds', async () => {
  const { clock, monitor, record } = createMonitor();
  record(95, { durationMs: 100 });
  record(5, { durationMs: 900 });
  assert.equal(monitor.active().latency, false);
  record(1, { durationMs: 900 });
  assert.equal(monitor.active().latency, true);
  await clock.advance(61_000);
  assert.equal(monitor.active().latency, false);
});

test('a spike of personal data is more findings than allowed within a minute', async () => {
  const { clock, monitor, record } = createMonitor();
  record(1, { pii: 6 });
  await clock.advance(30_000);
  record(1, { pii: 4 });
  assert.equal(monitor.active().pii_spike, false);
  record(1, { pii: 1 });
  assert.equal(monitor.active().pii_spike, true);
  await clock.advance(31_000);
  assert.equal(monitor.active().pii_spike, false);
});

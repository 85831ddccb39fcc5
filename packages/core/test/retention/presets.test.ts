import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY_MS } from '../../src/clock.ts';
import type { RETENTION_PRESETS } from '../../src/retention/presets.ts';
import { withPreset } from '../../src/retention/presets.ts';

const rule = (name: string, days: number) => ({
  name,
  olderThanMs: days * DAY_MS,
  deleteBatch: async () => 0,
});

const rules = [
  rule('audit_log', 90),
  rule('scans_with_personal_data', 30),
  rule('evidence', 3_650),
  rule('events', 90),
];

function daysBy(preset: (typeof RETENTION_PRESETS)[number]) {
  return withPreset(rules, preset).map(({ name, olderThanMs }) => [name, olderThanMs / DAY_MS]);
}

test('the preset of the AI Act lengthens shorter terms of logs to 184 days, and shortens none', () => {
  assert.deepEqual(daysBy('eu-ai-act'), [
    ['audit_log', 184],
    ['scans_with_personal_data', 184],
    ['evidence', 3_650],
    ['events', 90],
  ]);
});

test('the standard preset leaves the terms of the rules', () => {
  assert.deepEqual(
    daysBy('standard'),
    rules.map(({ name, olderThanMs }) => [name, olderThanMs / DAY_MS]),
  );
});

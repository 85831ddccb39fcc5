import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf, read } from './read.ts';

const DETECTION =
  'pii_detection: deprecated (version 1); use scanning.stages[].enabled of pii_scanner';
const THRESHOLD = 'pii_threshold: deprecated (version 1); use stage_config.pii_scanner.threshold';

test('a configuration of version 1 is upgraded with a warning for each key', async () => {
  const text = 'pii_detection: false\npii_threshold: 0.4';
  const { config } = await read(text);
  const pii = config?.scanning.stages.find(({ name }) => name === 'pii_scanner');
  assert.equal(pii?.enabled, false);
  assert.equal(config?.stage_config.pii_scanner.threshold, 0.4);
  assert.deepEqual(await issuesOf(text), [
    `1:1 (warning) ${DETECTION}`,
    `2:1 (warning) ${THRESHOLD}`,
  ]);
});

test('keys of both versions that agree are a warning', async () => {
  const text =
    'pii_detection: true\nscanning: {stages: [{name: pii_scanner}]}\n' +
    'pii_threshold: 0.4\nstage_config: {pii_scanner: {threshold: 0.4}}';
  assert.deepEqual(await issuesOf(text), [
    `1:1 (warning) ${DETECTION}`,
    `3:1 (warning) ${THRESHOLD}`,
  ]);
});

for (const [title, text, expected] of [
  [
    'a stage that is off',
    'pii_detection: true\nscanning: {stages: [{name: truth_scan}, {name: pii_scanner, enabled: false}]}',
    '1:16 pii_detection: contradicts scanning.stages; remove one of them',
  ],
  [
    'a stage that is not listed',
    'pii_detection: true\nscanning: {stages: [{name: truth_scan}]}',
    '1:16 pii_detection: contradicts scanning.stages; remove one of them',
  ],
  [
    'the threshold of the stage',
    'pii_threshold: 0.4\nstage_config: {pii_scanner: {threshold: 0.5}}',
    '1:16 pii_threshold: contradicts stage_config.pii_scanner.threshold; remove one of them',
  ],
  [
    'the threshold of all',
    'pii_threshold: 0.4\nscanning: {thresholds: {pii_risk: 0.5}}',
    '1:16 pii_threshold: contradicts scanning.thresholds.pii_risk; remove one of them',
  ],
] as const) {
  test(`a key of version 1 must not contradict ${title}`, async () => {
    assert.deepEqual(await issuesOf(text), [expected]);
  });
}

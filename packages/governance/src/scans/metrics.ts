import type { MetricDefinition } from '@probity/core';

/** Counts the stages of scans, by stage and final status. */
export const SCAN_STAGES: MetricDefinition = Object.freeze({
  name: 'probity_scan_stages_total',
  kind: 'counter',
  help: 'Scan stages, by stage and result status.',
  labels: ['stage', 'status'],
});

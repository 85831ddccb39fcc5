import type { MetricDefinition } from '@probity/core';

/** Counts calls to external systems by result: `success`, or the kind of the failure. */
export const INTEGRATION_REQUESTS: MetricDefinition = Object.freeze({
  name: 'probity_integration_requests_total',
  kind: 'counter',
  help: 'Calls to ITSM and chat systems, retries within a call not counted, by result.',
  labels: ['result'],
});

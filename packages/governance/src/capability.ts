import type { Capability, Runtime } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import { governanceDocumentation } from './documentation.ts';
import type { Governance, GovernanceOptions } from './governance.ts';
import { createGovernance } from './governance.ts';
import { governanceEndpoints } from './http.ts';
import { SCAN_STAGES } from './scans/metrics.ts';
import { governanceRetentionRules } from './settings/retention.ts';
import { createSummaryWorker, SUMMARY_PLAN_QUEUE, SUMMARY_QUEUE } from './summaries/worker.ts';

/** Options of the governance capability. */
export interface GovernanceCapabilityOptions extends GovernanceOptions {
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** The governance capability: services, endpoints, retention rules, summaries of days and metrics. */
export function createGovernanceCapability(
  runtime: Runtime,
  options: GovernanceCapabilityOptions,
): Capability<Governance> {
  const { prefix = '/api/v1', storage, upkeepStorage: upkeep } = options;
  const services = createGovernance(runtime, options);
  const summaries = createSummaryWorker(runtime, { storage, upkeep });
  return {
    name: 'governance',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: governanceEndpoints(services),
        documentation: governanceDocumentation,
      },
    ],
    retention: governanceRetentionRules(runtime, { storage, upkeep }),
    background: [
      {
        name: 'runtime summaries',
        start: () => summaries.start(),
        stop: () => summaries.stop(),
      },
    ],
    queues: [SUMMARY_PLAN_QUEUE, SUMMARY_QUEUE],
    metrics: [SCAN_STAGES],
  };
}

import type { Capability, Runtime } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import { sealedBatchItems } from './batches/batches.ts';
import { batchRetentionRules } from './batches/retention.ts';
import { BATCH_QUEUE } from './batches/worker.ts';
import { governanceDocumentation } from './documentation.ts';
import type { Governance, GovernanceOptions } from './governance.ts';
import { createGovernance } from './governance.ts';
import { governanceEndpoints } from './http.ts';
import { SCAN_STAGES } from './scans/metrics.ts';
import { governanceRetentionRules } from './scans/retention.ts';

/** Options of the governance capability. */
export interface GovernanceCapabilityOptions extends GovernanceOptions {
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** The governance capability: services, endpoints, the worker of batches, retention, key rotation and metrics. */
export function createGovernanceCapability(
  runtime: Runtime,
  options: GovernanceCapabilityOptions,
): Capability<Governance> {
  const { prefix = '/api/v1', storage, batchStorage } = options;
  const services = createGovernance(runtime, options);
  const { batchWorker } = services;
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
    background: [
      {
        name: 'scan batches',
        start: () => batchWorker.start(),
        stop: () => batchWorker.stop(),
      },
    ],
    retention: [...governanceRetentionRules(storage), ...batchRetentionRules(batchStorage)],
    sealed: [sealedBatchItems(batchStorage)],
    queues: [BATCH_QUEUE],
    metrics: [SCAN_STAGES],
  };
}

import type { Capability, LifecyclePart, Runtime } from '@probity/core';
import type { EndpointGroup } from '@probity/core/koa';
import { generalErrors } from '@probity/core/koa';
import { sealedBatchItems } from './batches/batches.ts';
import { batchRetentionRules } from './batches/retention.ts';
import { BATCH_QUEUE } from './batches/worker.ts';
import { trustPageEndpoints } from './certificates/trust-http.ts';
import { governanceDocumentation } from './documentation.ts';
import type { Governance, GovernanceOptions } from './governance.ts';
import { createGovernance } from './governance.ts';
import { governanceEndpoints } from './http.ts';
import { sealedProtectedTexts } from './protected-texts/protected-texts.ts';
import { SCAN_STAGES } from './scans/metrics.ts';
import { governanceRetentionRules } from './settings/retention.ts';
import type { Shield } from './shield.ts';
import { sealedSigningKeys } from './signing-keys/signing-keys.ts';
import { createSummaryWorker, SUMMARY_PLAN_QUEUE, SUMMARY_QUEUE } from './summaries/worker.ts';

/** Options of the governance capability. */
export interface GovernanceCapabilityOptions extends GovernanceOptions {
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/**
 * The governance capability: services, endpoints, the workers of batches and of summaries of days, retention, key
 * rotation and metrics.
 */
export function createGovernanceCapability(
  runtime: Runtime,
  options: GovernanceCapabilityOptions,
): Capability<Governance> {
  const { prefix = '/api/v1', storage, batchStorage, protectedTextStorage } = options;
  const { upkeepStorage: upkeep } = options;
  const shield = options.shield && { ...options.shield, apiPath: prefix };
  const services = createGovernance(runtime, { ...options, shield });
  const { batchWorker } = services;
  // Missing weights end the start, rather than flag every text; the first scan is as fast as later ones.
  const scanners: LifecyclePart = {
    name: 'scanners',
    start: async () => options.pipeline.preload?.(),
    stop: async () => undefined,
  };
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
      ...(services.shield ? [trustGroup(services.shield)] : []),
    ],
    serving: [scanners],
    background: [
      scanners,
      {
        name: 'scan batches',
        start: () => batchWorker.start(),
        stop: () => batchWorker.stop(),
      },
      {
        name: 'runtime summaries',
        start: () => summaries.start(),
        stop: () => summaries.stop(),
      },
    ],
    retention: [
      ...governanceRetentionRules(runtime, { storage, upkeep }),
      ...batchRetentionRules(batchStorage),
    ],
    sealed: [
      sealedBatchItems(batchStorage),
      sealedProtectedTexts(protectedTextStorage),
      ...(shield ? [sealedSigningKeys(shield.storage)] : []),
    ],
    queues: [BATCH_QUEUE, SUMMARY_PLAN_QUEUE, SUMMARY_QUEUE],
    metrics: [SCAN_STAGES],
  };
}

/** What is found at the base of the public addresses. */
function trustGroup(shield: Shield): EndpointGroup {
  return {
    prefix: '',
    errorFormat: generalErrors,
    endpoints: trustPageEndpoints(shield),
    documentation: governanceDocumentation,
    onlyBelowMount: true,
  };
}

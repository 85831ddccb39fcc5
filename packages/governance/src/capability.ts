import type { Capability, Runtime } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import { governanceDocumentation } from './documentation.ts';
import type { Governance, GovernanceOptions } from './governance.ts';
import { createGovernance } from './governance.ts';
import { governanceEndpoints } from './http.ts';
import { sealedProtectedTexts } from './protected-texts/protected-texts.ts';
import { SCAN_STAGES } from './scans/metrics.ts';
import { governanceRetentionRules } from './scans/retention.ts';

/** Options of the governance capability. */
export interface GovernanceCapabilityOptions extends GovernanceOptions {
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** The governance capability: services, endpoints, retention rules and metrics. */
export function createGovernanceCapability(
  runtime: Runtime,
  options: GovernanceCapabilityOptions,
): Capability<Governance> {
  const { prefix = '/api/v1', storage, protectedTextStorage } = options;
  const services = createGovernance(runtime, options);
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
    retention: governanceRetentionRules(storage),
    sealed: [sealedProtectedTexts(protectedTextStorage)],
    metrics: [SCAN_STAGES],
  };
}

import type { Capability, Runtime } from '@probity/core';
import type { EndpointGroup } from '@probity/core/koa';
import { generalErrors } from '@probity/core/koa';
import { trustPageEndpoints } from './certificates/trust-http.ts';
import { governanceDocumentation } from './documentation.ts';
import type { Governance, GovernanceOptions } from './governance.ts';
import { createGovernance } from './governance.ts';
import { governanceEndpoints } from './http.ts';
import { SCAN_STAGES } from './scans/metrics.ts';
import { governanceRetentionRules } from './scans/retention.ts';
import type { Shield } from './shield.ts';
import { sealedSigningKeys } from './signing-keys/signing-keys.ts';

/** Options of the governance capability. */
export interface GovernanceCapabilityOptions extends GovernanceOptions {
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** The governance capability: services, endpoints, sealed signing keys, retention rules and metrics. */
export function createGovernanceCapability(
  runtime: Runtime,
  options: GovernanceCapabilityOptions,
): Capability<Governance> {
  const { prefix = '/api/v1', storage } = options;
  const shield = options.shield && { ...options.shield, apiPath: prefix };
  const services = createGovernance(runtime, { ...options, shield });
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
    sealed: shield ? [sealedSigningKeys(shield.storage)] : [],
    retention: governanceRetentionRules(storage),
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

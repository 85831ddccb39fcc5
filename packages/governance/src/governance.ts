import type { Runtime } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import { builtInPolicy } from './policies/built-in.ts';
import type { DryRuns } from './policies/dry-run.ts';
import { createDryRuns } from './policies/dry-run.ts';
import type { Policies } from './policies/policies.ts';
import { createPolicies } from './policies/policies.ts';
import { createPolicySets } from './policies/policy-sets.ts';
import type { PolicyStorage } from './policies/storage.ts';
import type { Restorations } from './scans/restoration.ts';
import { createRestorations } from './scans/restoration.ts';
import type { Scans } from './scans/scans.ts';
import { createScans } from './scans/scans.ts';
import type { GovernanceStorage } from './storage.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  /** See {@link Scans.scanStream}. */
  readonly scanStream: Scans['scanStream'];
  readonly scans: Scans;
  readonly alerts: Alerts;
  readonly policies: Policies;
  readonly dryRuns: DryRuns;
  readonly restorations: Restorations;
}

/** Dependencies of the services beside a runtime. */
export interface GovernanceOptions {
  /** Scans and alerts. */
  readonly storage: GovernanceStorage;
  readonly policyStorage: PolicyStorage;
  readonly pipeline: Pipeline;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
}

/**
 * Creates the services of scans, alerts and policies.
 * @throws PipelineConfigError that names the member of a policy at fault
 */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const { storage, policyStorage, pipeline } = options;
  const starting = options.policies
    ? parsePolicies(options.policies, { pipeline })
    : [builtInPolicy(pipeline)];
  const sets = createPolicySets(runtime, { storage: policyStorage, pipeline, starting });
  const scans = createScans(runtime, { storage, pipeline, sets });
  return {
    scan: scans.scan,
    scanStream: scans.scanStream,
    scans,
    alerts: createAlerts({ storage }),
    restorations: createRestorations(runtime),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
  };
}

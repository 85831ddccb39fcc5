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
import type { ProtectedTextService } from './protected-texts/protected-texts.ts';
import { createProtectedTexts } from './protected-texts/protected-texts.ts';
import { createProtectedTextSets } from './protected-texts/sets.ts';
import type { ProtectedTextStorage } from './protected-texts/storage.ts';
import type { KnowledgeSource } from './scans/material.ts';
import { createScanMaterials } from './scans/material.ts';
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
  readonly protectedTexts: ProtectedTextService;
}

/** Dependencies of the services beside a runtime. */
export interface GovernanceOptions {
  /** Scans and alerts. */
  readonly storage: GovernanceStorage;
  readonly policyStorage: PolicyStorage;
  readonly protectedTextStorage: ProtectedTextStorage;
  readonly pipeline: Pipeline;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
  /** The statements that organizations take for true, for the truth stages; default none. */
  readonly knowledge?: KnowledgeSource | undefined;
}

/**
 * Creates the services of scans, alerts and policies.
 * @throws PipelineConfigError that names the member of a policy at fault
 */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const { storage, policyStorage, protectedTextStorage, pipeline, knowledge } = options;
  const starting = options.policies
    ? parsePolicies(options.policies, { pipeline })
    : [builtInPolicy(pipeline)];
  const sets = createPolicySets(runtime, { storage: policyStorage, pipeline, starting });
  const protectedTexts = createProtectedTextSets(runtime, protectedTextStorage);
  const materials = createScanMaterials(runtime, { pipeline, protectedTexts, knowledge });
  const scans = createScans(runtime, { storage, pipeline, sets, materials });
  return {
    scan: scans.scan,
    scanStream: scans.scanStream,
    scans,
    alerts: createAlerts({ storage }),
    restorations: createRestorations(runtime),
    protectedTexts: createProtectedTexts(runtime, { storage: protectedTextStorage }),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
  };
}

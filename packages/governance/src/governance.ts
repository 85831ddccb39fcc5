import type { Runtime, Worker } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { Batches } from './batches/batches.ts';
import { createBatches } from './batches/batches.ts';
import type { BatchStorage } from './batches/storage.ts';
import { createBatchWorker } from './batches/worker.ts';
import { builtInPolicy } from './policies/built-in.ts';
import type { DryRuns } from './policies/dry-run.ts';
import { createDryRuns } from './policies/dry-run.ts';
import type { Policies } from './policies/policies.ts';
import { createPolicies } from './policies/policies.ts';
import { createPolicySets } from './policies/policy-sets.ts';
import type { PolicyStorage } from './policies/storage.ts';
import { createPrepareScan } from './scans/prepare.ts';
import type { Restorations } from './scans/restoration.ts';
import { createRestorations } from './scans/restoration.ts';
import type { Scans } from './scans/scans.ts';
import { createScans } from './scans/scans.ts';
import type { Shield, ShieldOptions } from './shield.ts';
import { createShield } from './shield.ts';
import type { GovernanceStorage } from './storage.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  readonly scans: Scans;
  readonly batches: Batches;
  /** Scans what `batches` has stored; the capability starts and stops it, as a host without one must. */
  readonly batchWorker: Worker;
  readonly alerts: Alerts;
  readonly policies: Policies;
  readonly dryRuns: DryRuns;
  readonly restorations: Restorations;
  /** Verification and certificates; null without a knowledge base. */
  readonly shield: Shield | null;
}

/** Dependencies of the services beside a runtime. */
export interface GovernanceOptions {
  /** Scans and alerts. */
  readonly storage: GovernanceStorage;
  readonly policyStorage: PolicyStorage;
  readonly batchStorage: BatchStorage;
  readonly pipeline: Pipeline;
  /** What verification and certificates need; default: neither is there. */
  readonly shield?: ShieldOptions | undefined;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
}

/**
 * Creates the services of scans, batches, alerts, policies and certificates.
 * @throws PipelineConfigError that names the member of a policy at fault
 */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const { storage, policyStorage, batchStorage, pipeline } = options;
  const starting = options.policies
    ? parsePolicies(options.policies, { pipeline })
    : [builtInPolicy(pipeline)];
  const sets = createPolicySets(runtime, { storage: policyStorage, pipeline, starting });
  const prepare = createPrepareScan(runtime, { storage, pipeline, sets });
  const scans = createScans({ storage, prepare });
  return {
    scan: scans.scan,
    scans,
    batches: createBatches(runtime, { storage: batchStorage, scans }),
    batchWorker: createBatchWorker(runtime, { storage: batchStorage, prepare }),
    alerts: createAlerts({ storage }),
    restorations: createRestorations(runtime),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
    shield: options.shield ? createShield(runtime, options.shield) : null,
  };
}

import type { Runtime, Worker } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { Batches } from './batches/batches.ts';
import { createBatches } from './batches/batches.ts';
import type { BatchStorage } from './batches/storage.ts';
import { createBatchWorker } from './batches/worker.ts';
import type { Doors } from './doors/doors.ts';
import { createDoors } from './doors/doors.ts';
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
import type { GovernanceStorage } from './storage.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  readonly scans: Scans;
  readonly batches: Batches;
  /** Scans what `batches` has stored; the capability starts and stops it, as a host without one must. */
  readonly batchWorker: Worker;
  /** Scans for gateways with a protocol of their own. */
  readonly doors: Doors;
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
  readonly batchStorage: BatchStorage;
  readonly pipeline: Pipeline;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
}

/**
 * Creates the services of scans, batches, alerts and policies.
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
    doors: createDoors({ prepare }),
    alerts: createAlerts({ storage }),
    restorations: createRestorations(runtime),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
  };
}

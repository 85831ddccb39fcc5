import type { Runtime, Worker } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import { createAlertActions } from './alerts/actions.ts';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { AlertMembers } from './alerts/members.ts';
import type { Batches } from './batches/batches.ts';
import { createBatches } from './batches/batches.ts';
import { createBatchWorker } from './batches/worker.ts';
import type { Doors } from './doors/doors.ts';
import { createDoors } from './doors/doors.ts';
import { builtInPolicy } from './policies/built-in.ts';
import type { DryRuns } from './policies/dry-run.ts';
import { createDryRuns } from './policies/dry-run.ts';
import type { Policies } from './policies/policies.ts';
import { createPolicies } from './policies/policies.ts';
import { createPolicySets } from './policies/policy-sets.ts';
import type { ProtectedTextService } from './protected-texts/protected-texts.ts';
import { createProtectedTexts } from './protected-texts/protected-texts.ts';
import { createProtectedTextSets } from './protected-texts/sets.ts';
import type { KnowledgeSource } from './scans/material.ts';
import { createScanMaterials } from './scans/material.ts';
import type { Restorations } from './scans/restoration.ts';
import { createRestorations } from './scans/restoration.ts';
import { createPrepareScan } from './scans/scan.ts';
import type { Scans } from './scans/scans.ts';
import { createScans } from './scans/scans.ts';
import type { Settings } from './settings/settings.ts';
import { createSettings } from './settings/settings.ts';
import type { Shield, ShieldOptions } from './shield.ts';
import { createShield } from './shield.ts';
import type { GovernanceStorages } from './storage.ts';
import { createFirstDay } from './summaries/days.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  /** See {@link Scans.scanStream}. */
  readonly scanStream: Scans['scanStream'];
  /** See {@link Scans.guard}. */
  readonly guard: Scans['guard'];
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
  /** Verification and certificates; null without a knowledge base. */
  readonly shield: Shield | null;
  readonly settings: Settings;
  readonly protectedTexts: ProtectedTextService;
}

/** Dependencies of the services beside a runtime. */
export interface GovernanceOptions extends GovernanceStorages {
  readonly pipeline: Pipeline;
  /** What verification and certificates need; default: neither is there. */
  readonly shield?: ShieldOptions | undefined;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
  /** Who can be given an alert; default: any id, as the organization's members are not known. */
  readonly members?: AlertMembers | undefined;
  /** The statements that organizations take for true, for the truth stages; default none. */
  readonly knowledge?: KnowledgeSource | undefined;
}

/**
 * Creates the services of scans, batches, alerts, policies and certificates.
 * @throws PipelineConfigError that names the member of a policy at fault
 */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const { storage, policyStorage, batchStorage, upkeepStorage: upkeep } = options;
  const { protectedTextStorage, pipeline, members, knowledge } = options;
  const starting = options.policies
    ? parsePolicies(options.policies, { pipeline })
    : [builtInPolicy(pipeline)];
  const sets = createPolicySets(runtime, { storage: policyStorage, pipeline, starting });
  const protectedTexts = createProtectedTextSets(runtime, protectedTextStorage);
  const materials = createScanMaterials(runtime, { pipeline, protectedTexts, knowledge });
  const scanOptions = { storage, pipeline, sets, materials };
  const prepare = createPrepareScan(runtime, scanOptions);
  const scans = createScans(runtime, { ...scanOptions, prepare });
  return {
    scan: scans.scan,
    scanStream: scans.scanStream,
    guard: scans.guard,
    scans,
    batches: createBatches(runtime, { storage: batchStorage, scans }),
    batchWorker: createBatchWorker(runtime, { storage: batchStorage, prepare }),
    alerts: createAlerts({ storage, actions: createAlertActions(runtime, { storage, members }) }),
    doors: createDoors({ prepare }),
    restorations: createRestorations(runtime),
    settings: createSettings(runtime, { upkeep, firstDay: createFirstDay(runtime, storage) }),
    protectedTexts: createProtectedTexts(runtime, { storage: protectedTextStorage }),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
    shield: options.shield ? createShield(runtime, options.shield) : null,
  };
}

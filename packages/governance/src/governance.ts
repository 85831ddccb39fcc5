import type { Runtime } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import { createAlertActions } from './alerts/actions.ts';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { AlertMembers } from './alerts/members.ts';
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
import type { Settings } from './settings/settings.ts';
import { createSettings } from './settings/settings.ts';
import type { UpkeepStorage } from './settings/storage.ts';
import type { GovernanceStorage } from './storage.ts';
import { createFirstDay } from './summaries/days.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  readonly scans: Scans;
  readonly alerts: Alerts;
  readonly policies: Policies;
  readonly dryRuns: DryRuns;
  readonly restorations: Restorations;
  readonly settings: Settings;
}

/** Dependencies of the services beside a runtime. */
export interface GovernanceOptions {
  /** Scans and alerts. */
  readonly storage: GovernanceStorage;
  readonly policyStorage: PolicyStorage;
  /** Settings of organizations, and how far their days were summed up. */
  readonly upkeepStorage: UpkeepStorage;
  readonly pipeline: Pipeline;
  /**
   * The policies that every organization starts with, copied; default the built-in one. An empty list
   * allows everything.
   */
  readonly policies?: readonly Policy[] | undefined;
  /** Who can be given an alert; default: any id, as the organization's members are not known. */
  readonly members?: AlertMembers | undefined;
}

/**
 * Creates the services of scans, alerts and policies.
 * @throws PipelineConfigError that names the member of a policy at fault
 */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const { storage, policyStorage, upkeepStorage: upkeep, pipeline, members } = options;
  const starting = options.policies
    ? parsePolicies(options.policies, { pipeline })
    : [builtInPolicy(pipeline)];
  const sets = createPolicySets(runtime, { storage: policyStorage, pipeline, starting });
  const scans = createScans(runtime, { storage, pipeline, sets });
  return {
    scan: scans.scan,
    scans,
    alerts: createAlerts({ storage, actions: createAlertActions(runtime, { storage, members }) }),
    restorations: createRestorations(runtime),
    settings: createSettings(runtime, { upkeep, firstDay: createFirstDay(runtime, storage) }),
    dryRuns: createDryRuns({ scans: storage, pipeline, sets }),
    policies: createPolicies(runtime, { storage: policyStorage, pipeline, sets }),
  };
}

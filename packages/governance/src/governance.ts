import type { Runtime } from '@probity/core';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { ScanOptions, Scans } from './scans/scans.ts';
import { createScans } from './scans/scans.ts';

/** The services of the package. */
export interface Governance {
  readonly scans: Scans;
  readonly alerts: Alerts;
}

/** Dependencies of the services beside a runtime. */
export type GovernanceOptions = ScanOptions;

/** Creates the scan and alert services on one storage. */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  return { scans: createScans(runtime, options), alerts: createAlerts(options) };
}

import type { Runtime } from '@probity/core';
import type { Alerts } from './alerts/alerts.ts';
import { createAlerts } from './alerts/alerts.ts';
import type { ScanOptions, Scans } from './scans/scans.ts';
import { createScans } from './scans/scans.ts';

/** The services of the package. */
export interface Governance {
  /** See {@link Scans.scan}. */
  readonly scan: Scans['scan'];
  readonly scans: Scans;
  readonly alerts: Alerts;
}

/** Dependencies of the services beside a runtime. */
export type GovernanceOptions = ScanOptions;

/** Creates the scan and alert services on one storage. */
export function createGovernance(runtime: Runtime, options: GovernanceOptions): Governance {
  const scans = createScans(runtime, options);
  return { scan: scans.scan, scans, alerts: createAlerts(options) };
}

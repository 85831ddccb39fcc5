/** What the probes answer. */
export interface GatewayHealth {
  health(): {
    readonly status: 'ok' | 'degraded' | 'error';
    readonly checks: Readonly<Record<string, string>>;
  };
  readiness(): { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };
}

/** What health is read from. */
export interface HealthSources {
  /** Whether an alert is active. */
  readonly hasAlert: () => boolean;
  /** Whether requests are taken: after the start, and until the end begins. */
  readonly isServing: () => boolean;
}

/** What the gateway may depend on, and does not in this release. */
const UNUSED = 'disabled';

/** Creates the state that the probes show. */
export function createGatewayHealth({ hasAlert, isServing }: HealthSources): GatewayHealth {
  const checks = { database: UNUSED, embeddings: UNUSED, 'cache-store': UNUSED };
  return {
    health: () => ({ status: hasAlert() ? 'degraded' : 'ok', checks }),
    readiness: () => ({ ready: isServing(), checks: { database: UNUSED, cache: UNUSED } }),
  };
}

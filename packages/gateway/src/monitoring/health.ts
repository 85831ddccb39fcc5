import type { ActiveAlerts } from './alert-monitor.ts';

/** What the probes answer. */
export interface GatewayHealth {
  health(): {
    readonly status: 'ok' | 'degraded' | 'error';
    readonly checks: Readonly<Record<string, string>>;
  };
  readiness(): { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };
}

/** Something that the gateway depends on, as its last probe found it. */
interface Dependency {
  /** `ok`, `disabled`, `starting`, or `error: …` without secrets. */
  check(): string;
  /** Whether scans can be taken as far as it is concerned. */
  isReady(): boolean;
}

/** What health is read from. */
export interface HealthSources {
  readonly activeAlerts: () => ActiveAlerts;
  /** What is wrong with the keys file; null where nothing is. */
  readonly faultOfKeys: () => string | null;
  /** Whether requests are taken: after the start, and until the end begins. */
  readonly isServing: () => boolean;
  readonly database: Dependency;
  readonly embeddings: Dependency;
  readonly cache: Dependency;
}

/** Creates the state that the probes show. They wait for nothing: dependencies are probed in the background. */
export function createGatewayHealth(sources: HealthSources): GatewayHealth {
  const { activeAlerts, faultOfKeys, isServing, database, embeddings, cache } = sources;
  const dependencies = [database, embeddings, cache];
  return {
    health() {
      const checks = {
        database: database.check(),
        embeddings: embeddings.check(),
        'cache-store': cache.check(),
        keys: checkOf(faultOfKeys()),
        alerts: checkOf(textOf(activeAlerts())),
      };
      const isDegraded = Object.values(checks).some((check) => check.startsWith('error'));
      return { status: isDegraded ? 'degraded' : 'ok', checks };
    },
    readiness: () => ({
      ready: isServing() && dependencies.every((each) => each.isReady()),
      checks: { database: connected(database), cache: connected(cache) },
    }),
  };
}

/** @param fault null where there is none */
function checkOf(fault: string | null): string {
  return fault === null ? 'ok' : `error: ${fault}`;
}

function textOf(alerts: ActiveAlerts): string | null {
  const active = Object.entries(alerts).flatMap(([name, isActive]) => (isActive ? [name] : []));
  return active.length === 0 ? null : `above the threshold of ${active.join(', ')}`;
}

function connected(dependency: Dependency): string {
  const check = dependency.check();
  return check === 'ok' ? 'connected' : check;
}

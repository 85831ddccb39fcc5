import type { Metrics } from '@probity/core';
import type { Prometheus } from '@probity/core/prometheus';
import { createPrometheus } from '@probity/core/prometheus';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import { METRICS, STARTING_SERIES } from './definitions.ts';

/** What gauges are read from. */
export interface GaugeSources {
  readonly hash: () => string;
  readonly activeAlerts: () => Readonly<Record<string, boolean>>;
  readonly loopLagSeconds: () => number;
  /** Connections that the database keeps; 0 without one. */
  readonly databasePoolSize: () => number;
  readonly auditRowsWaiting: () => number;
  /** Share of look-ups in caches that found a result. */
  readonly cacheHitRatio: () => number;
  readonly isTaking: () => boolean;
}

/** The metrics of a gateway. */
export interface GatewayMetrics {
  readonly metrics: Metrics;
  readonly render: Prometheus['render'];
  readonly snapshot: Prometheus['snapshot'];
  /** Shows the series of everything that a configuration can detect, at 0. */
  declare(snapshot: GatewaySnapshot): void;
}

/** Creates the metrics on a registry of their own. */
export function createGatewayMetrics(sources: GaugeSources): GatewayMetrics {
  const { metrics, declare, render, snapshot } = createPrometheus();
  declare(Object.values(METRICS));
  for (const [definition, labels] of STARTING_SERIES) metrics.count(definition, labels, 0);
  const plain = (value: number) => [{ labels: {}, value }];
  metrics.gauge(METRICS.databasePool, async () => plain(sources.databasePoolSize()));
  metrics.gauge(METRICS.auditWaiting, async () => plain(sources.auditRowsWaiting()));
  metrics.gauge(METRICS.cacheRatio, async () => plain(sources.cacheHitRatio()));
  metrics.gauge(METRICS.configInfo, async () => [{ labels: { hash: sources.hash() }, value: 1 }]);
  metrics.gauge(METRICS.loopLag, async () => plain(sources.loopLagSeconds()));
  metrics.gauge(METRICS.alertActive, async () =>
    Object.entries(sources.activeAlerts()).map(([alert, isActive]) => ({
      labels: { alert },
      value: isActive ? 1 : 0,
    })),
  );
  metrics.gauge(METRICS.workers, async () => [{ labels: {}, value: sources.isTaking() ? 1 : 0 }]);
  return { metrics, render, snapshot, declare: (loaded) => declareSeries(metrics, loaded) };
}

function declareSeries(metrics: Metrics, { config, stages }: GatewaySnapshot): void {
  const { pii_scanner, injection_scanner, toxicity_scanner } = config.stage_config;
  const isOn = (name: string) => stages.some((stage) => stage.name === name && stage.enabled);
  const types = (switches: Readonly<Record<string, boolean>>) =>
    Object.keys(switches).filter((type) => switches[type]);
  if (isOn('pii_scanner')) {
    const wanted = [...types(pii_scanner.patterns), ...pii_scanner.optional_types];
    for (const type of wanted) metrics.count(METRICS.pii, { type }, 0);
  }
  if (isOn('injection_scanner')) {
    for (const type of types(injection_scanner.types))
      metrics.count(METRICS.injections, { type }, 0);
  }
  if (isOn('toxicity_scanner')) {
    for (const category of types(toxicity_scanner.categories)) {
      metrics.count(METRICS.toxicity, { category }, 0);
    }
  }
  for (const { name, enabled } of stages) {
    if (!enabled) continue;
    for (const mode of ['open', 'closed']) {
      metrics.count(METRICS.stageFailures, { stage: name, mode }, 0);
    }
  }
}

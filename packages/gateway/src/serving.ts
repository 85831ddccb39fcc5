import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Ids, Logger } from '@probity/core';
import { createIds } from '@probity/core';
import type { RequestHandler } from '@probity/core/koa';
import type { PipelineDependencies } from '@probity/pipeline';
import type { KeyStore } from './api-keys/key-store.ts';
import { openKeyStore } from './api-keys/key-store.ts';
import type { Primary } from './cluster/part.ts';
import type { Shared } from './cluster/shared.ts';
import type { SharedCounters } from './cluster/shared-counters.ts';
import type { GatewayConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import { createGatewayApplication } from './http/application.ts';
import type { HttpEntrance } from './http/entrance.ts';
import { scanEntrance } from './http/scan-entrance.ts';
import type { GatewayLimiter } from './limits/gateway-limiter.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import type { AlertMonitor } from './monitoring/alert-monitor.ts';
import type { GatewayHealth } from './monitoring/health.ts';
import { createGatewayHealth } from './monitoring/health.ts';
import type { Reloader } from './reload/reloader.ts';
import type { GatewayScanner } from './scanner/scanner.ts';
import { createGatewayScanner } from './scanner/scanner.ts';
import type { Signatures } from './signing/signatures.ts';
import { createSignatures } from './signing/signatures.ts';
import { readKnowledgeFile } from './snapshot/knowledge-file.ts';
import { createSnapshot } from './snapshot/snapshot.ts';

/** What serves under one snapshot. */
export interface Serving {
  readonly scanner: GatewayScanner;
  readonly handler: RequestHandler;
}

/** What is in force, and whether requests are taken. A reload replaces the reference. */
export interface Current {
  readonly serving: Serving | null;
  readonly isTaking?: boolean;
}

/** What outlives reloads. */
export interface Surroundings {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly keys: KeyStore;
  readonly limiter: GatewayLimiter;
  readonly signatures: Signatures;
  /** What lives once for all serving processes. */
  readonly primary: Primary;
  readonly counters: SharedCounters;
  readonly alerts: AlertMonitor;
  readonly health: GatewayHealth;
  readonly metrics: GatewayMetrics;
  /** Delays of the event loop. */
  readonly lag: ReturnType<typeof monitorEventLoopDelay>;
  readonly env: Environment;
  /** Replaces parts of the pipeline. */
  readonly pipeline: PipelineDependencies | undefined;
}

/** What surroundings are made with. */
interface SurroundingsOptions {
  readonly config: GatewayConfig;
  readonly env: Environment;
  readonly keysFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shared: Shared;
  readonly pipeline?: PipelineDependencies | undefined;
}

/** The entrances over HTTP; the routes of each are below its prefix. */
const ENTRANCES: readonly HttpEntrance[] = [scanEntrance];

/** Makes what outlives reloads; limits and thresholds are read from what is in force. */
export function createSurroundings(
  { config: first, env, keysFile, pipeline, clock, logger, shared }: SurroundingsOptions,
  current: Current,
): Surroundings {
  const { primary, limiter, alerts, counters, replays } = shared;
  const config = () => current.serving?.scanner.snapshot.config ?? first;
  const lag = monitorEventLoopDelay({ resolution: 20 });
  const health = createGatewayHealth({
    hasAlert: () => Object.values(alerts.active()).some(Boolean),
    isServing: () => current.isTaking ?? false,
  });
  const metrics = createGatewayMetrics({
    hash: () => current.serving?.scanner.snapshot.hash ?? '',
    activeAlerts: alerts.active,
    isTaking: () => current.isTaking ?? false,
    loopLagSeconds: () => {
      const seconds = lag.percentile(99) / 1e9;
      lag.reset();
      return seconds;
    },
  });
  return {
    ...{ clock, logger, alerts, health, metrics, lag, env, pipeline },
    ...{ primary, limiter, counters },
    ids: createIds(clock),
    keys: openKeyStore(keysFile, { clock, logger }),
    signatures: createSignatures(clock, () => config().security.signing_key ?? '', replays),
  };
}

/**
 * Makes everything that serves under a configuration.
 *
 * @throws Error when the knowledge base cannot be read
 * @throws PipelineConfigError naming an option at fault
 */
export function makeServing(
  config: GatewayConfig,
  surroundings: Surroundings,
  reloader: Reloader | null,
): Serving {
  const { clock, env, pipeline, metrics } = surroundings;
  const { PROBITY_GATEWAY_KNOWLEDGE_FILE: knowledgeFile } = env;
  const knowledge = knowledgeFile ? readKnowledgeFile(knowledgeFile) : [];
  const snapshot = createSnapshot(config, { now: clock.now(), knowledge, pipeline });
  const scanner = createGatewayScanner(snapshot, { ...surroundings, metrics: metrics.metrics });
  const entrances = ENTRANCES;
  const handler = createGatewayApplication({ ...surroundings, entrances, scanner, reloader });
  return { scanner, handler };
}

/** What is in force. */
export function servingOf({ serving }: Current): Serving {
  if (serving === null) throw new Error('the gateway has no configuration yet');
  return serving;
}

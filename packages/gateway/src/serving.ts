import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Ids, Logger } from '@probity/core';
import { createIds } from '@probity/core';
import type { RequestHandler } from '@probity/core/koa';
import type { PipelineDependencies } from '@probity/pipeline';
import type { KeyStore } from './api-keys/key-store.ts';
import { openKeyStore } from './api-keys/key-store.ts';
import type { GatewayConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import { createGatewayApplication } from './http/application.ts';
import type { HttpEntrance } from './http/entrance.ts';
import { scanEntrance } from './http/scan-entrance.ts';
import type { GatewayLimiter } from './limits/gateway-limiter.ts';
import { createGatewayLimiter } from './limits/gateway-limiter.ts';
import { mcpEntrance } from './mcp/entrance.ts';
import type { McpUpstream } from './mcp/upstream.ts';
import { createMcpUpstream } from './mcp/upstream.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import type { AlertMonitor } from './monitoring/alert-monitor.ts';
import { createAlertMonitor } from './monitoring/alert-monitor.ts';
import type { GatewayHealth } from './monitoring/health.ts';
import { createGatewayHealth } from './monitoring/health.ts';
import type { PlatformLink } from './platform/platform-link.ts';
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
  readonly alerts: AlertMonitor;
  readonly health: GatewayHealth;
  readonly metrics: GatewayMetrics;
  /** Delays of the event loop. */
  readonly lag: ReturnType<typeof monitorEventLoopDelay>;
  readonly env: Environment;
  /** Calls MCP servers. */
  readonly upstream: McpUpstream;
  /** Aborted when the gateway ends. */
  readonly end: AbortController;
  /** The scanner in force. */
  readonly latest: () => GatewayScanner;
  /** Replaces parts of the pipeline. */
  readonly pipeline: PipelineDependencies | undefined;
}

interface SurroundingsOptions {
  readonly config: GatewayConfig;
  readonly env: Environment;
  readonly keysFile: string;
  readonly pipeline?: PipelineDependencies | undefined;
}

/** The entrances over HTTP; the routes of each are below its prefix. */
const ENTRANCES: readonly HttpEntrance[] = [scanEntrance, mcpEntrance];

/** Makes what outlives reloads; limits and thresholds are read from what is in force. */
export function createSurroundings(
  { config: first, env, keysFile, pipeline }: SurroundingsOptions,
  parts: { readonly clock: Clock; readonly logger: Logger; readonly current: Current },
): Surroundings {
  const { clock, logger, current } = parts;
  const config = () => current.serving?.scanner.snapshot.config ?? first;
  const lag = monitorEventLoopDelay({ resolution: 20 });
  const thresholds = () => config().monitoring.alerts;
  const alerts = createAlertMonitor({ clock, logger, thresholds });
  const health = createGatewayHealth({
    hasAlert: () => Object.values(alerts.active()).some(Boolean),
    isServing: () => current.isTaking ?? false,
  });
  const metrics = createGatewayMetrics({
    hash: () => current.serving?.scanner.snapshot.hash ?? '',
    activeAlerts: alerts.active,
    loopLagSeconds: () => {
      const seconds = lag.percentile(99) / 1e9;
      lag.reset();
      return seconds;
    },
  });
  return {
    ...{ clock, logger, alerts, health, metrics, lag, env, pipeline },
    ids: createIds(clock),
    upstream: createMcpUpstream(),
    end: new AbortController(),
    latest: () => servingOf(current).scanner,
    keys: openKeyStore(keysFile, { clock, logger }),
    limiter: createGatewayLimiter(clock, () => config().rate_limiting),
    signatures: createSignatures(clock, () => config().security.signing_key ?? ''),
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
  link: PlatformLink | null = null,
): Serving {
  const { clock, env, pipeline, metrics } = surroundings;
  const { PROBITY_GATEWAY_KNOWLEDGE_FILE: knowledgeFile } = env;
  const knowledge = knowledgeFile ? readKnowledgeFile(knowledgeFile) : [];
  const platform = link?.rules();
  const snapshot = createSnapshot(config, { now: clock.now(), knowledge, platform, pipeline });
  const scanner = createGatewayScanner(snapshot, {
    ...surroundings,
    metrics: metrics.metrics,
    countScan: link?.countScan,
  });
  const entrances = ENTRANCES;
  const ending = surroundings.end.signal;
  const parts = { ...surroundings, entrances, scanner, reloader, ending };
  const handler = createGatewayApplication(parts);
  return { scanner, handler };
}

/** What is in force. */
export function servingOf({ serving }: Current): Serving {
  if (serving === null) throw new Error('the gateway has no configuration yet');
  return serving;
}

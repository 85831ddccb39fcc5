import type { Clock, Logger, Metrics } from '@probity/core';
import type { BodyBudget } from '@probity/core/internal';
import type { PipelineDependencies } from '@probity/pipeline';
import type { AuditRecorder } from './audit/recorder.ts';
import type { AuditTrail } from './audit/trail.ts';
import type { PreparedPart } from './cluster/part.ts';
import type { Shared } from './cluster/shared.ts';
import type { GatewayConfig } from './config/read-config.ts';
import { hashConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import type { GatewayAddresses } from './gateway.ts';
import { createListeners } from './http/listeners.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import type { PlatformRules } from './platform/rules.ts';
import type { UpstreamOptions } from './proxy/upstream.ts';
import type { Reloader } from './reload/reloader.ts';
import type { Serving, Surroundings } from './serving.ts';
import { createSurroundings, makeServing, servingOf } from './serving.ts';

/** Options of a serving process. */
export interface ServingProcessOptions {
  /** The configuration file: what is stored stands beside it unless the environment says otherwise. */
  readonly file: string;
  readonly config: GatewayConfig;
  readonly env: Environment;
  readonly keysFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What it shares with others. */
  readonly shared: Shared;
  readonly pipeline?: PipelineDependencies | undefined;
  /** How providers of models are connected to. */
  readonly upstream?: UpstreamOptions | undefined;
  /** The memory that requests may occupy; default: a quarter of the heap. */
  readonly bodyBudget?: BodyBudget | undefined;
  /** Chance from 0 to 1, for `audit.sample_rate`. */
  readonly random?: (() => number) | undefined;
  /**
   * Makes the trail, whose metrics are those of the process. Only a process that writes the database itself loads what
   * writes it.
   */
  readonly makeTrail: (config: () => GatewayConfig, metrics: Metrics) => AuditTrail;
  /** Null where reloads over HTTP are not enabled. */
  readonly reloader: () => Pick<Reloader, 'reload'> | null;
  /** What the platform decides; read when a configuration is built. */
  readonly rules: () => PlatformRules;
  /** Counts a scan for the platform; called before the scan is answered. */
  readonly countScan?: (() => void) | undefined;
  /** What must have ended before requests are taken. */
  readonly beforeListening?: (() => Promise<void>) | undefined;
  /** Whether it serves the metrics itself; else the primary does. */
  readonly hasMetricsListener: boolean;
}

/** A process that scans: its listeners, and the snapshot under which they serve. */
export interface ServingProcess {
  /** The configuration in force. */
  config(): GatewayConfig;
  hash(): string;
  readonly metrics: GatewayMetrics;
  readonly audit: AuditRecorder;
  /**
   * Makes what serves under the first configuration.
   *
   * @throws Error when the knowledge base or a certificate cannot be read
   */
  begin(): void;
  /** Loads the stages and listens. */
  start(): Promise<GatewayAddresses>;
  /** Takes no further requests, and resolves when those in progress are answered. */
  stop(): Promise<void>;
  /** Builds what serves under another configuration. */
  prepare(config: GatewayConfig): Promise<PreparedPart>;
}

/** Makes a serving process. */
export function createServingProcess(options: ServingProcessOptions): ServingProcess {
  const current: { serving: Serving | null; isTaking: boolean } = {
    serving: null,
    isTaking: false,
  };
  const surroundings = createSurroundings(options, current);
  const { metrics, certificates, trail, audit } = surroundings;
  const make = (config: GatewayConfig) =>
    makeServing(config, surroundings, {
      reloader: options.reloader(),
      platform: options.rules(),
      countScan: options.countScan,
    });
  const use = (serving: Serving) => {
    metrics.declare(serving.scanner.snapshot);
    if (serving.tls) certificates?.use(serving.tls);
    current.serving = serving;
  };
  const { start, stop } = createListeners(
    options.config,
    { ...surroundings, current },
    options.hasMetricsListener,
  );
  const config = () => current.serving?.scanner.snapshot.config ?? options.config;
  return {
    config,
    hash: () => current.serving?.scanner.snapshot.hash ?? hashConfig(options.config),
    metrics,
    audit,
    begin: () => use(make(options.config)),
    async start() {
      await servingOf(current).scanner.snapshot.pipeline.preload();
      surroundings.lag.enable();
      const addresses = await openData(surroundings, servingOf(current))
        .then(() => options.beforeListening?.())
        .then(start)
        .catch(async (error: unknown) => {
          await closeData(surroundings, 0);
          throw error;
        });
      surroundings.probes.start();
      current.isTaking = true;
      return addresses;
    },
    async stop() {
      const startedAtMs = options.clock.monotonicMs();
      current.isTaking = false;
      surroundings.end.abort();
      await stop();
      await surroundings.upstream.close();
      surroundings.probes.stop();
      surroundings.refusals.close();
      surroundings.failedAttempts.close();
      // The time that requests in progress have left is that of the last spans.
      const elapsedMs = options.clock.monotonicMs() - startedAtMs;
      await closeData(surroundings, config().server.request_timeout_ms - elapsedMs);
      surroundings.lag.disable();
    },
    async prepare(next) {
      const serving = make(next);
      const discard = () => surroundings.modelBackends.use(config());
      try {
        await serving.scanner.snapshot.pipeline.preload();
        await serving.open();
      } catch (error) {
        discard();
        throw error;
      }
      const commit = () => {
        use(serving);
        trail.use(next);
        serving.use();
      };
      return { commit, discard };
    },
  };
}

/** Opens the database, the cache and the knowledge base, as far as they are configured. */
async function openData({ trail }: Surroundings, serving: Serving): Promise<void> {
  await trail.start();
  await serving.open();
  serving.use();
}

async function closeData(
  { trail, caches, knowledgeBases, modelBackends, tracers }: Surroundings,
  limitMs: number,
): Promise<void> {
  await tracers.close(limitMs);
  await trail.stop();
  caches.close();
  await knowledgeBases.close();
  await modelBackends.close();
}

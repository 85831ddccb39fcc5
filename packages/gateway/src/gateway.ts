import type { Clock } from '@probity/core';
import { systemClock } from '@probity/core';
import type { PipelineDependencies } from '@probity/pipeline';
import type { Issue } from './config/issues.ts';
import { formatIssue } from './config/issues.ts';
import type { GatewayConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import { createListeners } from './http/listeners.ts';
import type { GatewayLog } from './logging/gateway-log.ts';
import { createGatewayLog, openLogOutput } from './logging/gateway-log.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import { openPlatformLink } from './platform/open-link.ts';
import type { PlatformLink } from './platform/platform-link.ts';
import type { Reloader } from './reload/reloader.ts';
import { createReloader } from './reload/reloader.ts';
import type { Serving } from './serving.ts';
import { createSurroundings, makeServing, servingOf } from './serving.ts';

/** Options of a gateway. */
export interface GatewayOptions {
  /** The configuration file, for reloads. */
  readonly file: string;
  /** The checked configuration, and what is worth saying about it. */
  readonly config: GatewayConfig;
  readonly issues: readonly Issue[];
  readonly env: Environment;
  /** Where the API keys are. */
  readonly keysFile: string;
  readonly enableReload: boolean;
  /** Takes log lines where no file is configured. */
  readonly write: (text: string) => void;
  readonly clock?: Clock | undefined;
  /** Replaces parts of the pipeline. */
  readonly pipeline?: PipelineDependencies | undefined;
}

/** Where a gateway listens. */
export interface GatewayAddresses {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Null where metrics are off. */
  readonly metricsUrl: string | null;
  /** Such as `127.0.0.1:50052`. */
  readonly grpcAddress: string;
}

/** A gateway. */
export interface Gateway {
  /** Loads the stages and listens. */
  start(): Promise<GatewayAddresses>;
  /** Takes no further requests, and resolves when those in progress are answered. Idempotent. */
  stop(): Promise<void>;
  /** Writes the log lines that wait for others. */
  flushLog(): void;
  readonly reloader: Reloader;
  /** Null without a platform. */
  readonly link: PlatformLink | null;
}

const SWEEP_MS = 3_600_000;

/**
 * Makes a gateway.
 *
 * @throws Error when the log file cannot be opened, or the knowledge base cannot be read
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock = systemClock, file } = options;
  const openLog = ({ logging }: GatewayConfig) =>
    openLogOutput(logging, { clock, write: options.write });
  const log = createGatewayLog(openLog(options.config));
  const current: { serving: Serving | null; isTaking: boolean } = {
    serving: null,
    isTaking: false,
  };
  const surroundings = createSurroundings(options, { clock, logger: log.logger, current });
  const { metrics } = surroundings;
  const make = (config: GatewayConfig): Serving =>
    makeServing(config, surroundings, options.enableReload ? reloader : null, link);
  const link = openPlatformLink(options, {
    clock,
    logger: log.logger,
    rebuild: () => reloader.rebuild(),
  });
  const reloader: Reloader = createGatewayReloader({
    options,
    log,
    metrics,
    current,
    openLog,
    make,
  });
  use(current, metrics, make(options.config));
  const { start, stop } = createListeners(options.config, { ...surroundings, current });
  const sweeping = setInterval(log.sweep, SWEEP_MS).unref();
  let stopping: Promise<void> | undefined;
  const end = async () => {
    current.isTaking = false;
    surroundings.end.abort();
    await stop();
    await surroundings.upstream.close();
    await link?.stop();
    surroundings.lag.disable();
    clearInterval(sweeping);
    log.logger.info('stopped');
    log.close();
  };
  return {
    reloader,
    link,
    async start() {
      for (const issue of options.issues) log.logger.warn(formatIssue(file, issue));
      const { pipeline } = servingOf(current).scanner.snapshot;
      await pipeline.preload();
      await link?.start();
      surroundings.lag.enable();
      const addresses = await start();
      current.isTaking = true;
      const { url, metricsUrl, grpcAddress } = addresses;
      log.announce('listening', {
        url,
        grpc: grpcAddress,
        metrics_url: metricsUrl,
        config_hash: servingOf(current).scanner.snapshot.hash,
      });
      log.flush();
      return addresses;
    },
    stop() {
      stopping ??= end();
      return stopping;
    },
    flushLog: log.flush,
  };
}

interface ReloaderParts {
  readonly options: GatewayOptions;
  readonly log: GatewayLog;
  readonly metrics: GatewayMetrics;
  readonly current: { serving: Serving | null };
  readonly openLog: (config: GatewayConfig) => ReturnType<typeof openLogOutput>;
  readonly make: (config: GatewayConfig) => Serving;
}

/** A reload builds everything that can fail, the log file too, before anything is replaced. */
function createGatewayReloader({ options, log, metrics, current, openLog, make }: ReloaderParts) {
  return createReloader({
    file: options.file,
    env: options.env,
    logger: log.logger,
    metrics: metrics.metrics,
    current: () => servingOf(current).scanner.snapshot,
    async prepare(config) {
      const output = openLog(config);
      try {
        const serving = make(config);
        await serving.scanner.snapshot.pipeline.preload();
        const commit = () => {
          log.use(output);
          use(current, metrics, serving);
        };
        return { hash: serving.scanner.snapshot.hash, commit };
      } catch (error) {
        output.close();
        throw error;
      }
    },
  });
}

function use(
  current: { serving: Serving | null },
  metrics: GatewayMetrics,
  serving: Serving,
): void {
  metrics.declare(serving.scanner.snapshot);
  current.serving = serving;
}

import type { Clock } from '@probity/core';
import { systemClock } from '@probity/core';
import type { BodyBudget } from '@probity/core/internal';
import type { PipelineDependencies } from '@probity/pipeline';
import { recordKeyChange } from './api-keys/key-act.ts';
import { createAuditTrail } from './audit/trail.ts';
import { createLocalPrimary } from './cluster/local-primary.ts';
import type { PreparedPart } from './cluster/part.ts';
import { closeParts, phasesOf, startParts } from './cluster/part-phases.ts';
import { createPrimaryParts } from './cluster/primary-parts.ts';
import type { Shared } from './cluster/shared.ts';
import { openGatewayKey } from './compliance/gateway-key.ts';
import type { Issue } from './config/issues.ts';
import { formatIssue } from './config/issues.ts';
import type { GatewayConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import { databaseOf } from './database/location.ts';
import { createGatewayLimiter } from './limits/gateway-limiter.ts';
import { announceListening } from './logging/announce.ts';
import { createGatewayLog, openLogOutput } from './logging/gateway-log.ts';
import { createLogPart } from './logging/log-part.ts';
import { createAlertMonitor } from './monitoring/alert-monitor.ts';
import { openPlatformLink } from './platform/open-link.ts';
import type { PlatformLink } from './platform/platform-link.ts';
import { NO_RULES } from './platform/rules.ts';
import type { UpstreamOptions } from './proxy/upstream.ts';
import { recordReload } from './reload/reload-act.ts';
import type { Reloader } from './reload/reloader.ts';
import { createReloader } from './reload/reloader.ts';
import { prepareAll } from './reload/two-phase.ts';
import type { ServingProcess } from './serving-process.ts';
import { createServingProcess } from './serving-process.ts';
import { createReplays } from './signing/replays.ts';

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
  /** How providers of models are connected to. */
  readonly upstream?: UpstreamOptions | undefined;
  /** The memory that requests may occupy; default: a quarter of the heap, for the process. */
  readonly bodyBudget?: BodyBudget | undefined;
  /** Replaces parts of the pipeline. */
  readonly pipeline?: PipelineDependencies | undefined;
  /** Chance from 0 to 1, for `audit.sample_rate`. */
  readonly random?: (() => number) | undefined;
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

/**
 * Makes a gateway of one process, whatever `server.workers` says.
 *
 * @throws Error when the log file, the knowledge base or a certificate cannot be read; for a variable of the environment
 *   that has no right value
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock = systemClock, config, env, file } = options;
  const complain = (text: string) => void process.stderr.write(text);
  const logPart = createLogPart(config, { clock, write: options.write, complain });
  const open = ({ logging }: GatewayConfig) =>
    openLogOutput(logging, { clock, write: logPart.write });
  const log = createGatewayLog(open(config));
  const { logger } = log;
  const inForce = () => serving.config();
  const makeParts = createPrimaryParts({
    ...{ clock, logger, config, location: databaseOf(file, env) },
    metrics: () => serving.metrics.metrics,
    keysFile: options.keysFile,
    recordKeys: (change) =>
      void recordKeyChange(serving.audit, { config: inForce(), hash: serving.hash() }, change),
  });
  const { primary, parts } = createLocalPrimary((workers) => [logPart, ...makeParts(workers)]);
  const shared: Shared = {
    primary,
    limiter: createGatewayLimiter(clock, () => inForce().rate_limiting),
    alerts: createAlertMonitor({ clock, logger, thresholds: () => inForce().monitoring.alerts }),
    replays: createReplays(primary),
  };
  const prepareLog = (next: GatewayConfig): PreparedPart => {
    const output = open(next);
    return { commit: () => log.use(output), discard: () => output.close() };
  };
  const link = openPlatformLink(options, { clock, logger, rebuild: () => reloader.rebuild() });
  const serving: ServingProcess = createServingProcess({
    ...{ clock, file, config, env, logger, shared },
    ...{ keysFile: options.keysFile, upstream: options.upstream, random: options.random },
    bodyBudget: options.bodyBudget,
    pipeline: options.pipeline,
    makeTrail: (current, metrics) =>
      createAuditTrail({
        location: databaseOf(file, env),
        config: current,
        key: openGatewayKey(file, env, logger),
        clock,
        logger,
        metrics,
      }),
    reloader: () => (options.enableReload ? reloader : null),
    hasMetricsListener: true,
    rules: () => link?.rules() ?? NO_RULES,
    countScan: link?.countScan,
    beforeListening: async () => link?.start(),
  });
  const reloader: Reloader = createReloader({
    ...{ file, env, logger },
    metrics: serving.metrics.metrics,
    current: () => ({ config: inForce(), hash: serving.hash() }),
    onReloaded: (result, by) => recordReload(serving.audit, inForce(), result, by),
    prepare: (next) =>
      prepareAll([...phasesOf(parts, next), () => prepareLog(next), () => serving.prepare(next)]),
  });
  serving.begin();
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await serving.stop();
    await link?.stop();
    logger.info('stopped');
    log.close();
    await closeParts(parts);
  };
  return {
    reloader,
    link,
    async start() {
      for (const issue of options.issues) logger.warn(formatIssue(file, issue));
      const addresses = await serving.start();
      startParts(parts);
      announceListening(log, { config, hash: serving.hash(), addresses, workers: 1 });
      return addresses;
    },
    stop() {
      stopping ??= end();
      return stopping;
    },
    flushLog: log.flush,
  };
}

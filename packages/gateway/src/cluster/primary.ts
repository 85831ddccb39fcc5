import type { Clock, Logger } from '@probity/core';
import { createIds, systemClock } from '@probity/core';
import { createHttpServer, generalErrors } from '@probity/core/koa';
import type { Prometheus } from '@probity/core/prometheus';
import { createPrometheus } from '@probity/core/prometheus';
import { recordKeyChange } from '../api-keys/key-act.ts';
import { createAuditRecorder } from '../audit/recorder.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { createAuditTrail } from '../audit/trail.ts';
import { createAuditPart } from '../audit/trail-part.ts';
import { openGatewayKey } from '../compliance/gateway-key.ts';
import { formatIssue } from '../config/issues.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import { hashConfig } from '../config/read-config.ts';
import { databaseOf } from '../database/location.ts';
import type { Gateway, GatewayOptions } from '../gateway.ts';
import { CONNECTION_LIMITS, named } from '../http/listening.ts';
import { createMetricsApplication } from '../http/metrics-application.ts';
import { createLeasePart } from '../limits/lease-part.ts';
import { announceListening } from '../logging/announce.ts';
import { createGatewayLog, openLogOutput } from '../logging/gateway-log.ts';
import { createLogPart } from '../logging/log-part.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { MetricsPart } from '../metrics/metrics-part.ts';
import { createMetricsPart } from '../metrics/metrics-part.ts';
import { createAlertMonitor } from '../monitoring/alert-monitor.ts';
import { createAlertPart } from '../monitoring/alert-part.ts';
import { openPlatformLink } from '../platform/open-link.ts';
import { hashWith, NO_RULES } from '../platform/rules.ts';
import { recordReload } from '../reload/reload-act.ts';
import type { ReloadedBy, Reloader } from '../reload/reloader.ts';
import { createReloader } from '../reload/reloader.ts';
import { PREPARE_MS, prepareAll } from '../reload/two-phase.ts';
import type { Certificates } from '../tls/certificates.ts';
import { createCertificates } from '../tls/certificates.ts';
import { demandCertificates } from '../tls/client-certificates.ts';
import { loadTlsMaterial } from '../tls/material.ts';
import { partTable } from './local-primary.ts';
import type { ReloadRequest, StartRequest } from './messages.ts';
import { RELOAD } from './messages.ts';
import type { PreparedPart, PrimaryPart, Workers } from './part.ts';
import { closeParts, phasesOf, startParts } from './part-phases.ts';
import { createPrimaryParts } from './primary-parts.ts';
import { stopTimeOf } from './stop-time.ts';
import type { Supervisor } from './supervisor.ts';
import { createSupervisor } from './supervisor.ts';

/** Options of a gateway of several processes. */
export type PrimaryOptions = Omit<GatewayOptions, 'clock' | 'pipeline'>;

/** A gateway whose serving processes can be ended at once. */
export interface ClusteredGateway extends Gateway {
  kill(): void;
}

const complain = (text: string) => void process.stderr.write(text);

/**
 * Makes a gateway of `server.workers` processes. This one serves the metrics and owns what lives once: the log
 * file, the limits, reloads. It neither scans nor loads what scans.
 *
 * @throws Error when the log file or a certificate cannot be read
 */
export function createClusteredGateway(options: PrimaryOptions): ClusteredGateway {
  const { config: first, env, file, keysFile } = options;
  const clock = systemClock;
  let config = first;
  const inForce = () => config;
  const logPart = createLogPart(first, { clock, write: options.write, complain });
  const open = ({ logging }: GatewayConfig) =>
    openLogOutput(logging, { clock, write: logPart.write });
  const log = createGatewayLog(open(first));
  const { logger } = log;
  const own = createPrometheus();
  const material = loadTlsMaterial(first, clock.now());
  const certificates = material && createCertificates(material);
  const certificatesPart = createCertificatesPart(clock, certificates);
  const reloadPart: PrimaryPart = {
    name: RELOAD,
    answer: (by) => reloader.reload(by as ReloadedBy),
  };
  const supervisor = createSupervisor({
    ...{ clock, logger, count: first.server.workers },
    startRequest: () => ({ config, rules: rules() }),
    deliver: (part, body, isCall, worker) => table.deliver(part, body, isCall, worker),
    onLeave(worker) {
      for (const part of table.parts) part.leave?.(worker);
    },
  });
  const link = openPlatformLink(options, { clock, logger, rebuild: () => reloader.rebuild() });
  const rules = () => link?.rules() ?? NO_RULES;
  const hash = () => hashWith(hashConfig(config), rules());
  const metrics = createMetricsPart(supervisor, own);
  const trail = createPrimaryTrail(options, own, { clock, logger, config: inForce });
  const audit = createAuditRecorder({ sink: trail.sink, clock, ids: createIds(clock) });
  const makeParts = createPrimaryParts({
    ...{ clock, logger, config: first, location: databaseOf(file, env), keysFile },
    metrics: () => own.metrics,
    recordKeys: (change) => void recordKeyChange(audit, { config, hash: hash() }, change),
  });
  const table = partTable([
    ...[logPart, metrics, createAuditPart(trail), certificatesPart],
    reloadPart,
    ...createClusterParts(supervisor, { clock, logger, config: inForce }),
    ...makeParts(supervisor),
  ]);
  const reloader: Reloader = createReloader({
    ...{ file, env, logger, metrics: own.metrics },
    current: () => ({ config, hash: hash() }),
    onReloaded: (result, by) => recordReload(audit, config, result, by),
    prepare: (next) =>
      prepareAll([
        ...phasesOf(table.parts, next),
        () => prepareWorkers(supervisor, { config: next, rules: rules() }),
        () => {
          const output = open(next);
          const commit = () => log.use(output);
          return { commit, discard: () => output.close() };
        },
      ]).then(({ commit, discard }) => ({
        discard,
        commit() {
          // First: a worker that is started from now on starts with it.
          config = next;
          return commit();
        },
      })),
  });
  const listener = createMetricsListener(first, {
    ...{ metrics, certificates, config: inForce, clock, logger },
  });
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await supervisor.stop(stopTimeOf(config));
    await listener?.stop();
    await link?.stop();
    logger.info('stopped');
    log.close();
    await closeParts(table.parts);
  };
  return {
    reloader,
    link,
    async start() {
      for (const issue of options.issues) logger.warn(formatIssue(file, issue));
      await trail.start();
      await link?.start();
      const metricsUrl = await startListener(listener);
      const { url, grpcAddress } = await supervisor.start().catch(async (error: unknown) => {
        supervisor.kill();
        await listener?.stop();
        await trail.stop();
        await link?.stop();
        throw error;
      });
      startParts(table.parts);
      const addresses = { url, grpcAddress, metricsUrl };
      const { workers } = first.server;
      announceListening(log, { config: first, hash: hash(), addresses, workers });
      return addresses;
    },
    stop() {
      stopping ??= end();
      return stopping;
    },
    flushLog: log.flush,
    kill: supervisor.kill,
  };
}

/** The audit table, which this process writes for all, with its gauges. */
function createPrimaryTrail(
  { file, env }: PrimaryOptions,
  { metrics }: Prometheus,
  parts: ClusterPartOptions,
): AuditTrail {
  const key = openGatewayKey(file, env, parts.logger);
  const trail = createAuditTrail({ ...parts, location: databaseOf(file, env), metrics, key });
  metrics.gauge(METRICS.databasePool, async () => [{ labels: {}, value: trail.poolSize() }]);
  metrics.gauge(METRICS.auditWaiting, async () => [{ labels: {}, value: trail.waiting() }]);
  return trail;
}

interface ClusterPartOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: () => GatewayConfig;
}

/** What a gateway of one process does without messages. */
function createClusterParts(
  workers: Workers,
  { clock, logger, config }: ClusterPartOptions,
): PrimaryPart[] {
  const thresholds = () => config().monitoring.alerts;
  const monitor = createAlertMonitor({ clock, logger, thresholds });
  return [
    createLeasePart(clock, () => config().rate_limiting),
    createAlertPart(clock, monitor, workers),
  ];
}

/** The certificates of the metrics' listener. */
function createCertificatesPart(clock: Clock, certificates: Certificates | null): PrimaryPart {
  return {
    name: 'certificates',
    prepare(config) {
      const material = loadTlsMaterial(config, clock.now());
      const commit = () => void (material && certificates?.use(material));
      return { commit, discard: () => undefined };
    },
  };
}

let lastReload = 0;

/** Both phases of a reload in all workers. */
async function prepareWorkers(
  workers: Pick<Supervisor, 'ask' | 'tell'>,
  request: StartRequest,
): Promise<PreparedPart> {
  const id = ++lastReload;
  const ask = (request: ReloadRequest) => [...workers.ask(RELOAD, request, PREPARE_MS).values()];
  const discard = () => workers.tell(RELOAD, { phase: 'discard', id } satisfies ReloadRequest);
  try {
    await Promise.all(ask({ phase: 'prepare', id, ...request }));
  } catch (error) {
    discard();
    throw error;
  }
  return {
    discard,
    // A worker that has ended meanwhile is replaced by one with this configuration.
    commit: async () => void (await Promise.allSettled(ask({ phase: 'commit', id, ...request }))),
  };
}

type MetricsListener = ReturnType<typeof createHttpServer> | null;

function createMetricsListener(
  { monitoring, server }: GatewayConfig,
  parts: ClusterPartOptions & {
    readonly metrics: MetricsPart;
    readonly certificates: Certificates | null;
  },
): MetricsListener {
  const { metrics, certificates, config, clock, logger } = parts;
  if (!monitoring.prometheus.enabled) return null;
  const ids = createIds(clock);
  const path = () => config().monitoring.prometheus.path;
  const listener = createHttpServer({
    handler: createMetricsApplication({ render: metrics.render, path, clock, ids, logger }),
    ...{ host: monitoring.prometheus.host ?? server.host, ids, logger },
    port: monitoring.prometheus.port,
    errorFormatOf: () => generalErrors,
    limits: CONNECTION_LIMITS,
    ...(certificates && { tls: demandCertificates(certificates, false) }),
  });
  certificates?.onChange(listener.useTls);
  return listener;
}

async function startListener(listener: MetricsListener): Promise<string | null> {
  return listener ? named('monitoring.prometheus.port', () => listener.start()) : null;
}

import { systemClock } from '@probity/core';
import { connectAuditTrail } from '../audit/trail-part.ts';
import type { Environment } from '../config/substitution.ts';
import type { GatewayAddresses } from '../gateway.ts';
import { createGatewayLog, openLogOutput } from '../logging/gateway-log.ts';
import { LOG } from '../logging/log-part.ts';
import { connectMetrics } from '../metrics/metrics-part.ts';
import { openScanCount } from '../platform/open-link.ts';
import type { PlatformRules } from '../platform/rules.ts';
import type { Reloader, ReloadResult } from '../reload/reloader.ts';
import type { ServingProcess } from '../serving-process.ts';
import { createServingProcess } from '../serving-process.ts';
import { createSnapshot } from '../snapshot/snapshot.ts';
import { createChannel } from './channel.ts';
import type { ReloadRequest, StartRequest } from './messages.ts';
import { READY, RELOAD, START, STOP, WARM } from './messages.ts';
import type { PreparedPart, Primary } from './part.ts';
import { processPort } from './process-port.ts';
import { connectShared } from './shared.ts';

/** Options of a worker: what the command line and the environment say. */
export interface WorkerOptions {
  readonly file: string;
  readonly env: Environment;
  readonly keysFile: string;
  readonly enableReload: boolean;
}

/**
 * Serves as one of several processes, as the primary says; resolves when it has ended in order. The end of the
 * primary ends it at once.
 */
export async function serveAsWorker(options: WorkerOptions): Promise<void> {
  const handlers = new Map<string, (message: unknown) => unknown>();
  const channel = createChannel(processPort(process), ({ part, body }) => {
    const handler = handlers.get(part);
    if (handler === undefined) throw new Error(`the worker has no part ${part}`);
    return handler(body);
  });
  const primary: Primary = {
    call: channel.call,
    tell: channel.tell,
    handle: (part, take) => void handlers.set(part, take),
  };
  let worker: Promise<Started> | undefined;
  const ended = new Promise<void>((resolve) => {
    const stop = async () => {
      const started = await worker;
      await started?.stop();
      resolve();
    };
    // Signals reach the whole group of a terminal, or of a service manager: the primary decides on reloads.
    process.on('SIGHUP', () => undefined);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
    primary.handle(STOP, stop);
  });
  primary.handle(RELOAD, async (message) => (await worker)?.reload(message as ReloadRequest));
  primary.handle(WARM, async (message) => {
    await warm(message as StartRequest);
    if (worker === undefined) title('spare');
  });
  primary.handle(START, async (message) => {
    title('worker');
    worker = startServing(message as StartRequest, primary, options);
    return (await worker).addresses;
  });
  // Messages that come before anyone takes them are lost: nothing is sent before this one.
  primary.tell(READY, null);
  await ended;
  process.disconnect();
}

/** What `ps` shows. */
function title(role: 'spare' | 'worker'): void {
  process.title = `probity-gateway ${role}`;
}

/** Loads code and models of the stages, which stay loaded; a fault is told when the process is to serve. */
async function warm({ config, rules }: StartRequest): Promise<void> {
  try {
    const { pipeline } = createSnapshot(config, { now: systemClock.now(), platform: rules });
    await pipeline.preload();
  } catch {}
}

interface Started {
  readonly addresses: GatewayAddresses;
  readonly reload: (request: ReloadRequest) => Promise<void>;
  stop(): Promise<void>;
}

async function startServing(
  { config, rules: first }: StartRequest,
  primary: Primary,
  { file, env, keysFile, enableReload }: WorkerOptions,
): Promise<Started> {
  const clock = systemClock;
  const write = (lines: readonly string[]) => primary.tell(LOG, lines);
  const openLog: OpenLog = (next) => openLogOutput(next.logging, { clock, write });
  const log = createGatewayLog(openLog(config));
  const { logger } = log;
  const shared = await connectShared(clock, primary);
  // The primary alone builds again what the platform has changed.
  const reloader: Pick<Reloader, 'reload'> = {
    reload: (by = {}) => primary.call<ReloadResult>(RELOAD, by),
  };
  const scans = openScanCount({ file, env }, { clock, logger });
  let rules = first;
  const serving = createServingProcess({
    ...{ clock, file, config, env, keysFile, logger, shared },
    makeTrail: () => connectAuditTrail(clock, primary),
    reloader: () => (enableReload ? reloader : null),
    hasMetricsListener: false,
    rules: () => rules,
    countScan: scans?.count,
  });
  serving.begin();
  const endMetrics = connectMetrics(clock, primary, serving.metrics);
  const addresses = await serving.start();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await serving.stop();
    scans?.close();
    log.close();
    await endMetrics();
  };
  return {
    addresses,
    reload: createReload(serving, log.use, openLog, (next) => {
      rules = next;
    }),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

type OpenLog = (config: StartRequest['config']) => ReturnType<typeof openLogOutput>;

/** Builds what a reload configures, and puts it in force, or gives it up, when the primary says so. */
function createReload(
  serving: ServingProcess,
  useLog: (output: ReturnType<OpenLog>) => void,
  openLog: OpenLog,
  useRules: (rules: PlatformRules) => void,
): Started['reload'] {
  const prepared = new Map<number, Promise<PreparedPart>>();
  const prepare = async ({ config, rules }: StartRequest): Promise<PreparedPart> => {
    useRules(rules);
    const part = await serving.prepare(config);
    return {
      discard: part.discard,
      async commit() {
        useLog(openLog(config));
        await part.commit();
      },
    };
  };
  return async (request) => {
    const { phase, id } = request;
    if (phase === 'prepare') {
      const preparing = prepare(request);
      prepared.set(id, preparing);
      await preparing;
      return;
    }
    const preparing = prepared.get(id);
    prepared.delete(id);
    if (phase === 'commit') {
      const part = await (preparing ?? prepare(request)).catch(endStale);
      await part.commit();
    } else preparing?.then(({ discard }) => discard()).catch(() => undefined);
  };
}

/** A worker that cannot do what the others do must not serve on under an old configuration: it is replaced. */
function endStale(error: unknown): never {
  process.stderr.write(`probity-gateway: a worker could not follow a reload: ${error}\n`);
  process.exit(1);
}

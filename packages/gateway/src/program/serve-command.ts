import cluster from 'node:cluster';
import { dirname } from 'node:path';
import { keyNamesOf, keysFileOf } from '../api-keys/keys-location.ts';
import { WORKER_VARIABLE } from '../cluster/messages.ts';
import { formatIssue } from '../config/issues.ts';
import { readConfig } from '../config/read-config.ts';
import type { Gateway, GatewayOptions } from '../gateway.ts';
import type { ProgramContext } from './context.ts';
import { readConfigFile } from './read-file.ts';

/** Options of serving. */
export interface ServeOptions {
  readonly file: string;
  readonly enableReload: boolean;
}

/**
 * Serves until SIGTERM or SIGINT; a second one ends at once. SIGHUP reloads the configuration. With
 * `server.workers` above 1 this process is the primary, and the others are started with the same command
 * line.
 *
 * @returns 0 after an orderly end, 1 where the file is invalid
 */
export async function serveCommand(options: ServeOptions, context: ProgramContext): Promise<0 | 1> {
  const { file } = options;
  const { env } = context;
  const enableReload = options.enableReload || isOn(env.GATEWAY_ENABLE_RELOAD);
  const keysFile = keysFileOf(file, env);
  if (cluster.isWorker && env[WORKER_VARIABLE] !== undefined) {
    const { serveAsWorker } = await import('../cluster/worker.ts');
    await serveAsWorker({ file, env, keysFile, enableReload });
    return 0;
  }
  const { config, issues } = await readConfig(
    readConfigFile(file),
    env,
    dirname(file),
    keyNamesOf(file, env),
  );
  if (config === undefined) {
    for (const issue of issues) context.err(`${formatIssue(file, issue)}\n`);
    return 1;
  }
  const write = context.out;
  const gateway = await create({ file, config, issues, env, keysFile, enableReload, write });
  const ended = nextEnd(gateway.kill);
  const starting = gateway.start();
  // What went wrong is in the log.
  const reload = () => starting.then(() => gateway.reloader.reload()).catch(() => undefined);
  process.on('SIGHUP', () => void reload());
  await starting;
  await ended;
  await gateway.stop();
  return 0;
}

/** One process where the file wants one, or where another program has this one as a worker of its own. */
async function create(options: GatewayOptions): Promise<Gateway & { kill(): void }> {
  if (options.config.server.workers > 1 && cluster.isPrimary) {
    const { createClusteredGateway } = await import('../cluster/primary.ts');
    return createClusteredGateway(options);
  }
  const { createGateway } = await import('../gateway.ts');
  return { ...createGateway(options), kill: () => undefined };
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}

function nextEnd(kill: () => void): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      resolve();
      const endAtOnce = () => {
        kill();
        process.exit(signal === 'SIGINT' ? 130 : 143);
      };
      process.once('SIGTERM', endAtOnce).once('SIGINT', endAtOnce);
    };
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  });
}

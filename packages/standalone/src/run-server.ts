import { createLogger } from '@probity/core';
import type { ServerConfig } from './config.ts';
import { openDatabase } from './database.ts';
import { createServerSecretBox, keyFileOf } from './encryption-key.ts';
import { checkPorts } from './ports.ts';
import { createServer } from './server.ts';

/** Runs a server until SIGTERM or SIGINT: opens its database, starts it, and stops it. */
export async function runServer(config: ServerConfig): Promise<void> {
  const logger = createLogger({ level: config.logLevel });
  // What is wrong with key or ports is said before a database is made.
  keyFileOf(config)?.read();
  await checkPorts(config);
  const database = await openDatabase(config.database, logger);
  const secretBox = await createServerSecretBox(config, database).catch(async (error) => {
    await database.close();
    throw error;
  });
  const server = await createServer({
    config,
    database,
    secretBox,
    logger,
    print: (text) => process.stderr.write(text),
  });
  const asked = stopSignal();
  // A worker without a port waits on timers that keep no process alive.
  const life = setInterval(() => undefined, 2 ** 30);
  try {
    await server.start();
    logger.info('stopping', { signal: await asked });
  } finally {
    await server.stop();
    clearInterval(life);
  }
  logger.info('stopped');
}

/** Resolves at the first SIGTERM or SIGINT; the second ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal);
        process.once(signal, () => process.exit(130));
      });
    }
  });
}

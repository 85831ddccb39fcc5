import { createLogger } from '@probity/core';
import type { ServerConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';
import { createServerSecretBox, keyFileOf } from './encryption-key.ts';
import { checkPorts } from './ports.ts';
import { createServer } from './server.ts';

/** Runs a server until SIGTERM or SIGINT: opens its database, starts it, and stops it. */
export async function runServer(
  config: ServerConfig,
  { tell, writeLog, stopSignal }: CommandContext,
): Promise<void> {
  const { logLevel: level } = config;
  const logger = createLogger(writeLog ? { level, write: writeLog } : { level });
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
    tell,
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

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '@probity/core';
import {
  coreMigrations,
  createPostgresDatabase,
  createSqliteDatabase,
  migrate,
  type SqlDatabase,
} from '@probity/core/sql';
import { governanceMigrations } from '@probity/governance/sql';
import { webhookMigrations } from '@probity/webhooks/sql';
import type { DatabaseLocation } from './config.ts';
import { messageOf, StartFailure } from './failure.ts';

/** The schema of everything that this program runs. */
export const migrations = [...coreMigrations, ...webhookMigrations, ...governanceMigrations];

/**
 * Opens the database and brings its schema up to date.
 * @throws StartFailure that names the file or the server; what was created for it is removed again
 */
export async function openDatabase(
  location: DatabaseLocation,
  logger: Logger,
  onApplied?: (migration: string) => void,
): Promise<SqlDatabase> {
  const database = connect(location, logger);
  try {
    await database.ping();
    await migrate(database, migrations, {
      onApplied(migration) {
        logger.info('migration applied', { migration });
        onApplied?.(migration);
      },
    });
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    throw new StartFailure(`${describe(location)} cannot be used: ${messageOf(error)}`);
  }
}

/** The location without user name and password. */
function describe(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return `The database file ${location.path}`;
  const { host, pathname } = new URL(location.url);
  return `The PostgreSQL database ${pathname.slice(1) || '(default)'} at ${host || 'localhost'}`;
}

function connect(location: DatabaseLocation, logger: Logger): SqlDatabase {
  if (location.kind === 'postgres') return createPostgresDatabase({ url: location.url, logger });
  const created = createFolder(location.path);
  try {
    return createSqliteDatabase({ path: location.path });
  } catch (error) {
    if (created) rmSync(created, { recursive: true, force: true });
    throw new StartFailure(messageOf(error));
  }
}

/** Makes the file's folder where it is missing; answers the first folder made. */
function createFolder(path: string): string | undefined {
  const folder = dirname(path);
  try {
    return mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StartFailure(
      `The folder ${folder} for the database cannot be made: ${messageOf(error)}`,
    );
  }
}

import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
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
  const created = prepareFile(location.path);
  try {
    return createSqliteDatabase({ path: location.path });
  } catch (error) {
    if (created) rmSync(created, { recursive: true, force: true });
    throw new StartFailure(messageOf(error));
  }
}

/**
 * Makes the file where it is missing, with its folders, and for its owner only: SQLite gives its
 * other files the same mode. Answers the first of what it made.
 */
function prepareFile(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  const folder = createFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return folder ?? path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    if (folder) rmSync(folder, { recursive: true, force: true });
    throw new StartFailure(`The database file ${path} cannot be made: ${messageOf(error)}`);
  }
}

/** Makes a folder and those above it, one by one: Node 20 never ends where that is impossible. */
function createFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const above = createFolder(dirname(folder));
  try {
    mkdirSync(folder);
    return above ?? folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    if (above) rmSync(above, { recursive: true, force: true });
    throw new StartFailure(
      `The folder ${folder} for the database cannot be made: ${messageOf(error)}`,
    );
  }
}

import { rmSync, statSync } from 'node:fs';
import type { Logger } from '@probity/core';
import { silentLogger } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import type { MigrateOptions, Migration, SqlDatabase } from '@probity/core/sql';
import {
  coreMigrations,
  createPostgresDatabase,
  createSqliteDatabase,
  migrate,
  pendingMigrations,
  prepareSqliteFile,
} from '@probity/core/sql';
import { evidenceMigrations } from '@probity/evidence/sql';
import { governanceMigrations } from '@probity/governance/sql';
import { integrationsMigrations } from '@probity/integrations/sql';
import { knowledgeMigrations } from '@probity/knowledge/sql';
import { platformMigrations } from '@probity/platform/sql';
import { scimMigrations } from '@probity/scim/sql';
import { webhookMigrations } from '@probity/webhooks/sql';
import { messageOf, StartFailure } from './failure.ts';

/** The schema of everything that this program runs. */
export const migrations = [
  ...coreMigrations,
  ...platformMigrations,
  ...webhookMigrations,
  ...governanceMigrations,
  ...scimMigrations,
  ...evidenceMigrations,
  ...knowledgeMigrations,
  ...integrationsMigrations,
];

/** What {@link openDatabase} calls while it migrates; by default it writes to the log. */
export type MigrationListener = Required<Pick<MigrateOptions, 'onApplied' | 'onProgress'>>;

/**
 * Opens the database and brings its schema up to date.
 * @throws StartFailure that names the file or the server; what was created for it is removed again
 */
export async function openDatabase(
  location: DatabaseLocation,
  logger: Logger,
  listener?: MigrationListener,
): Promise<SqlDatabase> {
  const database = connect(location, logger);
  try {
    await database.ping();
    const applied = await migrate(
      database,
      migrations,
      listener ?? {
        onProgress: (progress) => logger.info('migration in progress', { ...progress }),
      },
    );
    if (applied.length > 0) {
      logger.info('migrations applied', { count: applied.length, last: applied.at(-1) });
    }
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    throw new StartFailure(`${describe(location)} cannot be used: ${messageOf(error)}`);
  }
}

/**
 * Works on a database that is there, as a command beside the server: a mistyped path must not make
 * an empty one and look like success. The schema stays as it is: the database may belong to a server
 * of an earlier version, or to an application that embeds Probity.
 *
 * @param required the migrations that the command needs; all by default
 * @throws StartFailure that names the file or the server, or the migrations that are pending
 */
export async function withExistingDatabase(
  location: DatabaseLocation,
  work: (database: SqlDatabase) => Promise<void>,
  required: readonly Migration[] = migrations,
): Promise<void> {
  requireExisting(location);
  const database = connect(location, silentLogger);
  try {
    await requireMigrated(database, location, required);
    await work(database);
  } finally {
    await database.close().catch(() => undefined);
  }
}

async function requireMigrated(
  database: SqlDatabase,
  location: DatabaseLocation,
  required: readonly Migration[],
): Promise<void> {
  const pending = await pendingMigrations(database, required).catch((error: unknown) => {
    throw new StartFailure(`${describe(location)} cannot be used: ${messageOf(error)}`);
  });
  if (pending.length === 0) return;
  throw new StartFailure(
    `${describe(location)} lacks ${pending.length} migrations of this version ` +
      `(${pending.join(', ')}): run \`probity-server migrate\`, or \`probity.migrate()\` in an ` +
      'application that embeds Probity',
  );
}

/** @throws StartFailure when there is no such file */
export function requireExisting(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite') return;
  const file = statSync(location.path, { throwIfNoEntry: false });
  if (!file) throw new StartFailure(`There is no database file ${location.path}`);
  if (file.size === 0) throw new StartFailure(`The database file ${location.path} is empty`);
}

/** Names the database in messages, without user name and password. */
export function describe(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return `The database file ${location.path}`;
  const { host, pathname } = new URL(location.url);
  return `The PostgreSQL database ${pathname.slice(1) || '(default)'} at ${host || 'localhost'}`;
}

function connect(location: DatabaseLocation, logger: Logger): SqlDatabase {
  if (location.kind === 'postgres') return createPostgresDatabase({ url: location.url, logger });
  let created: string | undefined;
  try {
    created = prepareSqliteFile(location.path);
    return createSqliteDatabase({ path: location.path });
  } catch (error) {
    if (created) rmSync(created, { recursive: true, force: true });
    throw new StartFailure(messageOf(error));
  }
}

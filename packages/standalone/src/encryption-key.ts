import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSecretBox, parseEncryptionKey, systemRandom } from '@probity/core';
import { createSqlSealingKeys, type SqlDatabase } from '@probity/core/sql';
import type { ServerConfig } from './config.ts';
import { messageOf, StartFailure } from './failure.ts';

/**
 * The key that secrets are sealed under: the one configured, or on SQLite the one in the file
 * `<database file>.key`. Null on SQLite when there is neither yet.
 *
 * @throws StartFailure when there is none on PostgreSQL, or the file cannot be used
 */
export function findEncryptionKey({ encryptionKey, database }: ServerConfig): Uint8Array | null {
  if (encryptionKey) return encryptionKey;
  if (database.kind === 'sqlite') return readKeyFile(database.path);
  throw new StartFailure(
    'PROBITY_ENCRYPTION_KEY: is required with PostgreSQL; make one with `openssl rand -base64 32` ' +
      'and give every instance the same',
  );
}

/**
 * The key to go on with: the one found or, on a SQLite database without secrets, a new one. It is
 * noted in the database, so that a start with another key is refused instead of failing at the
 * first secret.
 *
 * @throws StartFailure when the database's secrets are sealed under other keys
 */
export async function settleEncryptionKey(
  config: ServerConfig,
  database: SqlDatabase,
): Promise<Uint8Array> {
  const sealingKeys = createSqlSealingKeys(database);
  const known = await sealingKeys.list();
  // Looked for again: a process that started at the same time may have made it meanwhile.
  const found = findEncryptionKey(config);
  if (!found && known.length > 0) throw otherKey(config, known, 'and its key file is missing');
  const key = found ?? createEncryptionKey(config);
  const { keyId } = createSecretBox([key]);
  if (known.length > 0 && !known.includes(keyId)) {
    throw otherKey(config, known, `not under ${keyId}, which it was started with`);
  }
  await sealingKeys.register(keyId, new Date());
  return key;
}

function otherKey(
  { encryptionKey, database }: ServerConfig,
  known: readonly string[],
  problem: string,
): StartFailure {
  const source =
    encryptionKey || database.kind === 'postgres'
      ? 'set PROBITY_ENCRYPTION_KEY to that key'
      : `restore ${keyFileOf(database.path)}`;
  return new StartFailure(
    `The secrets in the database are sealed under the encryption key ${known.join(', ')}, ` +
      `${problem}: ${source}`,
  );
}

/**
 * Makes the key file beside the SQLite database, for its owner only. Of several processes that
 * start together one makes it and all use it.
 *
 * @throws StartFailure when it cannot be written
 */
function createEncryptionKey({ database }: ServerConfig): Uint8Array {
  if (database.kind !== 'sqlite') throw new Error('Only SQLite has a key file.');
  const path = keyFileOf(database.path);
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${Buffer.from(systemRandom(32)).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    });
    // Linking a finished file is atomic: nobody reads half a key, and the second to come fails.
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new StartFailure(`The key file ${path} cannot be made: ${messageOf(error)}`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(database.path);
  if (!key) throw new StartFailure(`The key file ${path} vanished while it was being made`);
  return key;
}

function readKeyFile(databasePath: string): Uint8Array | null {
  const path = keyFileOf(databasePath);
  try {
    return parseEncryptionKey(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    // A path through a file that is no folder: opening the database says so better.
    if (codeOf(error) === 'ENOTDIR') return null;
    throw new StartFailure(`The encryption key in ${path} cannot be used: ${messageOf(error)}`);
  }
}

function keyFileOf(databasePath: string): string {
  return `${databasePath}.key`;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

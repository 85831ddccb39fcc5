import type { SecretBox } from '@probity/core';
import { systemClock } from '@probity/core';
import type { KeyFile } from '@probity/core/internal';
import { createKeyFile, settleEncryptionKeys } from '@probity/core/internal';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqlSealingKeys } from '@probity/core/sql';
import type { ServerConfig } from './config.ts';
import { StartFailure } from './failure.ts';

/** Where the keys and the database are. */
export type KeyConfig = Pick<ServerConfig, 'encryptionKeys' | 'database'>;

/** The key file of a SQLite database, `<database file>.key`; null where the keys are configured. */
export function keyFileOf({ encryptionKeys, database }: KeyConfig): KeyFile | null {
  if (encryptionKeys) return null;
  if (database.kind === 'sqlite') return createKeyFile(`${database.path}.key`);
  throw new StartFailure(
    'PROBITY_ENCRYPTION_KEY: is required with PostgreSQL; make one with `openssl rand -base64 32` ' +
      'and give every instance the same',
  );
}

/** What secrets are sealed with; see `settleEncryptionKeys` of the core. */
export function createServerSecretBox(
  config: KeyConfig,
  database: SqlDatabase,
  readsOnly = false,
): Promise<SecretBox> {
  const keyFile = keyFileOf(config);
  return settleEncryptionKeys({
    configured: config.encryptionKeys,
    keyFile,
    sealingKeys: createSqlSealingKeys(database),
    clock: systemClock,
    readsOnly,
    remedy: keyFile ? `restore ${keyFile.path}` : 'set PROBITY_ENCRYPTION_KEY to that key',
  });
}

/** The secret box of a command that works without one too; undefined where no key exists yet. */
export async function findServerSecretBox(
  config: KeyConfig,
  database: SqlDatabase,
  readsOnly = false,
): Promise<SecretBox | undefined> {
  const hasKeys =
    config.encryptionKeys || (config.database.kind === 'sqlite' && keyFileOf(config)?.read());
  return hasKeys ? createServerSecretBox(config, database, readsOnly) : undefined;
}

import { createRuntime, systemClock } from '@probity/core';
import { resealAll, rotateKeyFile, sealedAuditValues } from '@probity/core/internal';
import { createSqlSealingKeys } from '@probity/core/sql';
import { configuredBaseUrl } from './base-url.ts';
import { createCapabilities } from './capabilities.ts';
import type { DatabaseFlags } from './command-line.ts';
import type { ServerConfig } from './config.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { createServerSecretBox, keyFileOf } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/**
 * Seals every secret anew: with a key file under a key made for it, else under the first key of
 * PROBITY_ENCRYPTION_KEY. Prints one line of JSON with what it did.
 */
export function rotateKeys(flags: DatabaseFlags, context: CommandContext): Promise<void> {
  const { env, print, tell } = context;
  const config = readConfig(flags, env);
  requireNewKey(config);
  return withExistingDatabase(config.database, async (database) => {
    const secretBox = await createServerSecretBox(config, database);
    const keyFile = keyFileOf(config);
    const runtime = createRuntime({ database, secretBox });
    const baseUrl = () => configuredBaseUrl(config);
    const { all } = createCapabilities({ runtime, database, config, baseUrl });
    const dependencies = {
      sealingKeys: createSqlSealingKeys(database),
      values: [...sealedAuditValues(database), ...all.flatMap(({ sealed = [] }) => sealed)],
      clock: systemClock,
    };
    const { keyId, resealed, retiredKeyIds } = keyFile
      ? await rotateKeyFile({ ...dependencies, keyFile, database })
      : await resealAll({ ...dependencies, secretBox });
    const answer = { key_id: keyId, resealed, retired_key_ids: retiredKeyIds };
    print(`${JSON.stringify(answer)}\n`);
    tell(
      keyFile
        ? `The key is in ${keyFile.path}; keep a copy of it separately from the backups.\n`
        : 'Leave only the first key in PROBITY_ENCRYPTION_KEY of every instance now.\n',
    );
  });
}

function requireNewKey({ encryptionKeys, database }: ServerConfig): void {
  if (encryptionKeys ? encryptionKeys.length > 1 : database.kind === 'sqlite') return;
  throw new StartFailure(
    'PROBITY_ENCRYPTION_KEY: must hold the new key and the present one, as NEW,PRESENT (`openssl ' +
      'rand -base64 32` makes one); set it for every instance, restart them, and run this again',
  );
}

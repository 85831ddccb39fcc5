import { createRuntime, systemClock } from '@probity/core';
import type { ResealReport } from '@probity/core/internal';
import { resealAll, rotateKeyFile, sealedAuditValues } from '@probity/core/internal';
import { createSqlSealingKeys } from '@probity/core/sql';
import { createSigningKeys } from '@probity/governance';
import { createSqlCertificateStorage } from '@probity/governance/sql';
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
    const report = keyFile
      ? await rotateKeyFile({ ...dependencies, keyFile, database })
      : { ...(await resealAll({ ...dependencies, secretBox })), keptIn: null };
    const { keyId, resealed, retiredKeyIds, keptIn } = report;
    if (!keyFile) requireRotated(report);
    const answer = { key_id: keyId, resealed, retired_key_ids: retiredKeyIds };
    print(`${JSON.stringify(answer)}\n`);
    tell('Backups made before now need the former key to be read.\n');
    if (keyFile) {
      for (const path of keptIn ?? []) tell(`The former key is kept in ${path}.\n`);
      tell(`The key is in ${keyFile.path}; keep copies of both separately from the backups.\n`);
    } else {
      tell(
        'Keep it, and leave only the first key in PROBITY_ENCRYPTION_KEY of every instance now.\n',
      );
    }
  });
}

/**
 * Makes a new key that certificates are signed with; the former one stays published until the last certificate under it
 * has expired. Prints one line of JSON with both.
 */
export function rotateSigningKey(flags: DatabaseFlags, context: CommandContext): Promise<void> {
  const { env, print, tell } = context;
  const config = readConfig(flags, env);
  return withExistingDatabase(config.database, async (database) => {
    const secretBox = await createServerSecretBox(config, database);
    const storage = createSqlCertificateStorage(database);
    const signingKeys = createSigningKeys({ storage, clock: systemClock });
    const { keyId, retiredKeyId } = await signingKeys.rotate(secretBox);
    print(`${JSON.stringify({ key_id: keyId, retired_key_id: retiredKeyId })}\n`);
    tell('Certificates are signed with the new key from now on; those issued before stay valid.\n');
  });
}

/** @throws StartFailure when no value was sealed under another key and none was retired */
function requireRotated({ resealed, retiredKeyIds }: ResealReport): void {
  if (retiredKeyIds.length > 0 || Object.values(resealed).some((count) => count > 0)) return;
  throw new StartFailure(
    'Nothing was rotated: the first key is the one in use already. Put the new key first.',
  );
}

function requireNewKey({ encryptionKeys, database }: ServerConfig): void {
  if (encryptionKeys ? encryptionKeys.length > 1 : database.kind === 'sqlite') return;
  throw new StartFailure(
    'PROBITY_ENCRYPTION_KEY: must hold the new key and the present one, as NEW,PRESENT (`openssl ' +
      'rand -base64 32` makes one); set it for every instance, restart them, and run this again',
  );
}

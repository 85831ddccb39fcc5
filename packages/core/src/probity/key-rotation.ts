import { sealedAuditValues } from '../audit/sealed-keys.ts';
import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Capability } from '../runtime/capability.ts';
import type { KeyFile } from '../sealing/key-file.ts';
import { rotateKeyFile } from '../sealing/key-file-rotation.ts';
import type { ResealReport } from '../sealing/rotation.ts';
import { resealAll } from '../sealing/rotation.ts';
import type { SealingKeys } from '../sealing/sealing-keys.ts';
import type { Database } from '../storage/database.ts';

/** Result of `probity.rotateKeys()`. */
export interface KeyRotation extends ResealReport {
  /** Paths of files with the former keys, which backups made before need; none where the keys were passed. */
  readonly keptIn: readonly string[];
}

/** What a host's database is sealed with. */
export interface HostKeys {
  readonly secretBox: SecretBox;
  /** Those that the database names; null in memory. */
  readonly sealingKeys: SealingKeys | null;
  /** Null where the keys were passed. */
  readonly keyFile: KeyFile | null;
}

/**
 * Seals every secret of the capabilities and of the audit log under a key made for it in the key file, or under
 * the first of the keys that were passed.
 * @throws ProbityError `conflict` as thrown by `resealAll`; Error when there is nothing to rotate
 */
export async function rotateHostKeys(
  keys: HostKeys | undefined,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  capabilities: readonly Capability[],
): Promise<KeyRotation> {
  if (!keys?.sealingKeys) {
    throw new Error('No key is stored: the database is in memory, or no capability seals secrets.');
  }
  const { secretBox, sealingKeys, keyFile } = keys;
  const sealed = capabilities.flatMap((each) => each.sealed ?? []);
  const dependencies = { sealingKeys, values: [...sealedAuditValues(database), ...sealed], clock };
  if (keyFile) return rotateKeyFile({ ...dependencies, keyFile, database });
  return { ...(await resealAll({ ...dependencies, secretBox })), keptIn: [] };
}

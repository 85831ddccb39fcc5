import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { createSecretBox, toKeyId } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { KeyFile } from './key-file.ts';
import type { SealingKeys } from './sealing-keys.ts';

/** Where a program has its encryption keys from. */
export interface EncryptionSettings {
  /** The keys that it was given, which are never read again; null where they are in the file. */
  readonly configured: readonly Uint8Array[] | null;
  /** The file to use, and to make where it is missing; null where the keys are given. */
  readonly keyFile: KeyFile | null;
  readonly sealingKeys: SealingKeys;
  readonly clock: Clock;
  /** What a person does about a key that is missing: `set PROBITY_ENCRYPTION_KEY to that key`. */
  readonly remedy: string;
}

/**
 * The box of the keys found or, on a database without secrets, of a new one in the file. Its key is
 * noted in the database, so that a start without a key that is in use is refused instead of failing
 * at the first secret. The box follows its file.
 *
 * @throws ProbityError `conflict` when secrets in the database are sealed under other keys
 */
export async function settleEncryptionKeys(settings: EncryptionSettings): Promise<SecretBox> {
  const { configured, keyFile, sealingKeys, clock } = settings;
  const known = await sealingKeys.list();
  // Read after the list: a process that started at the same time may have made it meanwhile.
  const found = configured ?? keyFile?.read() ?? null;
  if (!found && known.length > 0) throw otherKey(settings, known, 'and its key file is missing');
  const ids = (found ?? keyFile?.create() ?? []).map(toKeyId);
  // Listed again: a rotation may just have ended.
  const missing = (await sealingKeys.list()).filter((id) => !ids.includes(id));
  if (missing.length > 0) {
    const problem = `not under ${ids.join(', ')}, which it was started with`;
    throw otherKey(settings, missing, problem);
  }
  const secretBox = createSecretBox(configured ?? keyFile?.follow() ?? []);
  await sealingKeys.register(secretBox.keyId, clock.now());
  return secretBox;
}

function otherKey(
  { remedy }: EncryptionSettings,
  keyIds: readonly string[],
  problem: string,
): ProbityError {
  return new ProbityError(
    'conflict',
    `The secrets in the database are sealed under the encryption key ${keyIds.join(', ')}, ` +
      `${problem}: ${remedy}`,
  );
}

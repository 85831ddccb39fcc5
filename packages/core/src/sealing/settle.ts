import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { createSecretBox, toKeyId } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { KeyFile } from './key-file.ts';
import type { SealingKeys } from './sealing-keys.ts';

/** Source of a program's encryption keys. */
export interface EncryptionSettings {
  /** Keys passed directly, which are never reread; null when they are in the file. */
  readonly configured: readonly Uint8Array[] | null;
  /** The file to use, created if missing; null when the keys are passed directly. */
  readonly keyFile: KeyFile | null;
  readonly sealingKeys: SealingKeys;
  readonly clock: Clock;
  /** Instruction for supplying a missing key: `set PROBITY_ENCRYPTION_KEY to that key`. */
  readonly remedy: string;
  /** Called when the file was created, by this process or another that started with it. */
  readonly onCreated?: () => void;
  /** Whether the program only reads: nothing is registered in the database. Default false. */
  readonly readsOnly?: boolean;
}

/**
 * Opens the box of the configured keys or, on a database without secrets, of a new key in the file.
 * Its key is registered in the database, so that a start without a key in use fails immediately
 * instead of at the first secret. The box follows its file.
 *
 * @throws ProbityError `conflict` when secrets in the database are sealed under other keys
 */
export async function settleEncryptionKeys(settings: EncryptionSettings): Promise<SecretBox> {
  const { configured, keyFile, sealingKeys, clock } = settings;
  const known = await sealingKeys.list();
  // Read after the list: a process that started concurrently may have created it meanwhile.
  const found = configured ?? keyFile?.read() ?? null;
  if (!found && known.length > 0) throw otherKey(settings, known, 'and its key file is missing');
  const ids = (found ?? createKeys(settings)).map(toKeyId);
  // Listed again: a rotation may just have finished.
  const missing = settings.readsOnly
    ? (await sealingKeys.list()).filter((id) => !ids.includes(id))
    : await sealingKeys.registerComplete(ids, clock.now());
  if (missing.length > 0) {
    const problem = `not under ${ids.join(', ')}, which it was started with`;
    throw otherKey(settings, missing, problem);
  }
  return createSecretBox(configured ?? keyFile?.follow() ?? []);
}

function createKeys({ keyFile, onCreated }: EncryptionSettings): readonly Uint8Array[] {
  if (!keyFile) return [];
  const made = keyFile.create();
  onCreated?.();
  return made;
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

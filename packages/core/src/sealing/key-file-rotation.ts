import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import { createSecretBox, toKeyId } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import type { KeyFile } from './key-file.ts';
import type { ResealDependencies, ResealReport } from './rotation.ts';
import { resealAll } from './rotation.ts';

/** Dependencies of rotating the key in a file. */
export interface KeyFileRotationDependencies extends Omit<ResealDependencies, 'secretBox'> {
  readonly keyFile: KeyFile;
  /** Its transactions serialize rotations, so that two do not change the file concurrently. */
  readonly database: Database;
  readonly random?: Random;
}

/** Result of rotating the key in a file. */
export interface KeyFileReport extends ResealReport {
  /** Where the former keys were stored, which open the backups made before; see `KeyFile.keep`. */
  readonly keptIn: readonly string[];
}

/**
 * Adds a new key to the file, reseals everything under it and then moves the old key to a file of its
 * own: backups made before need it. A file with
 * two keys is an interrupted rotation, which is resumed. Running servers follow the file
 * (`KeyFile.follow`): they see either both keys or a file without values that need the old one.
 *
 * @throws ProbityError `conflict` when there is no file, or as thrown by `resealAll`
 */
export async function rotateKeyFile(
  dependencies: KeyFileRotationDependencies,
): Promise<KeyFileReport> {
  const { keyFile, database, random = systemRandom } = dependencies;
  const keys = await database.transaction(async () => {
    const present = keyFile.read();
    if (!present) throw new ProbityError('conflict', `There is no key file ${keyFile.path}.`);
    if (present.length > 1) return present;
    keyFile.replace([random(32), ...present]);
    return keyFile.read() ?? present;
  });
  const report = await resealAll({ ...dependencies, secretBox: createSecretBox(keys) });
  const keptIn = await database.transaction(async () => {
    const [first, ...others] = keyFile.read() ?? [];
    // Another rotation may have finished this one and started the next meanwhile.
    if (!first || others.length === 0 || toKeyId(first) !== report.keyId) return [];
    const kept = others.map((key) => keyFile.keep(key));
    keyFile.replace([first]);
    return kept;
  });
  return { ...report, keptIn };
}

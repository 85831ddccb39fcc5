import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import { createSecretBox, toKeyId } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import type { KeyFile } from './key-file.ts';
import type { ResealDependencies, ResealReport } from './rotation.ts';
import { resealAll } from './rotation.ts';

/** What rotating the key of a file needs. */
export interface KeyFileRotationDependencies extends Omit<ResealDependencies, 'secretBox'> {
  readonly keyFile: KeyFile;
  /** Its transactions keep two rotations from changing the file at the same moment. */
  readonly database: Database;
  readonly random?: Random;
}

/**
 * Puts a new key into the file, seals everything anew under it and then takes the old key out. A
 * file with two keys is a rotation that was broken off, and is gone on with. Servers that run
 * follow the file (`KeyFile.follow`): they meet either both keys or a file in which nothing needs
 * the old one any more.
 *
 * @throws ProbityError `conflict` when there is no file, or as `resealAll` does
 */
export async function rotateKeyFile(
  dependencies: KeyFileRotationDependencies,
): Promise<ResealReport> {
  const { keyFile, database, random = systemRandom } = dependencies;
  const keys = await database.transaction(async () => {
    const present = keyFile.read();
    if (!present) throw new ProbityError('conflict', `There is no key file ${keyFile.path}.`);
    if (present.length > 1) return present;
    keyFile.replace([random(32), ...present]);
    return keyFile.read() ?? present;
  });
  const report = await resealAll({ ...dependencies, secretBox: createSecretBox(keys) });
  await database.transaction(async () => {
    const [first, ...others] = keyFile.read() ?? [];
    // Another rotation may have ended this one and begun the next meanwhile.
    if (first && others.length > 0 && toKeyId(first) === report.keyId) keyFile.replace([first]);
  });
  return report;
}

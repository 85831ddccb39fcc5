import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first executable with one of these names in `path`, which has the format of PATH. */
export function findProgram(names: readonly string[], path: string): string | undefined {
  const candidates = path
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

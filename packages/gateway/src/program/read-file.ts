import { readFileSync, statSync } from 'node:fs';
import { MAX_FILE_BYTES } from '../config/source-text.ts';
import { UsageError } from './context.ts';

/**
 * Reads a configuration file; of a larger one than is allowed no more than shows that it is.
 *
 * @throws UsageError when it cannot be read
 */
export function readConfigFile(file: string): Uint8Array {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new UsageError(`${file} is no file`);
    if (stats.size > MAX_FILE_BYTES) return new Uint8Array(stats.size);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      code === 'ENOENT' ? `; write it with: probity-gateway init --config ${file}` : '';
    throw new UsageError(`cannot read ${file}${code ? ` (${code})` : ''}${remedy}`);
  }
}

import { tmpdir } from 'node:os';
import type { ReadConfig } from '../../src/config/read-config.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Environment } from '../../src/config/substitution.ts';

/** Reads a configuration that is written in a test. */
export function read(text: string, env: Environment = {}, folder = tmpdir()): Promise<ReadConfig> {
  return readConfig(Buffer.from(text), env, folder);
}

/** The issues of a text as `LINE:COL path: message`. */
export async function issuesOf(
  text: string,
  env: Environment = {},
  folder = tmpdir(),
): Promise<string[]> {
  const { issues } = await read(text, env, folder);
  return issues.map(
    ({ line, column, severity, path, message }) =>
      `${line}:${column} ${severity === 'warning' ? '(warning) ' : ''}${path}: ${message}`,
  );
}

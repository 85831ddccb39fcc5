import { dirname } from 'node:path';
import { keyNamesOf } from '../api-keys/keys-location.ts';
import { formatIssue } from '../config/issues.ts';
import { readConfig } from '../config/read-config.ts';
import type { ProgramContext } from './context.ts';
import { readConfigFile } from './read-file.ts';

/**
 * `--validate-config`: tells all errors and warnings of a file. Opens no port, no database, and no path
 * that the file names; of the API keys the names are read, where there are any.
 *
 * @returns 0 where the file is valid, else 1
 */
export async function validateCommand(file: string, context: ProgramContext): Promise<0 | 1> {
  const { config, issues } = await readConfig(
    readConfigFile(file),
    context.env,
    dirname(file),
    keyNamesOf(file, context.env),
  );
  for (const issue of issues) context.err(`${formatIssue(file, issue)}\n`);
  if (config === undefined) return 1;
  const warnings = issues.length === 1 ? '1 warning' : `${issues.length} warnings`;
  context.out(`${file}: valid${issues.length > 0 ? `, ${warnings}` : ''}\n`);
  return 0;
}

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../config/substitution.ts';
import { readKeyFile } from './key-file.ts';

/** Where the API keys are: as the environment says, else beside the configuration. */
export function keysFileOf(config: string | undefined, env: Environment): string {
  const { PROBITY_GATEWAY_API_KEYS_FILE: named } = env;
  if (named) return named;
  return join(config === undefined ? '.' : dirname(resolve(config)), 'gateway-keys');
}

/** The names of the API keys; undefined where there is no file of keys, or it cannot be read. */
export function keyNamesOf(
  config: string | undefined,
  env: Environment,
): ReadonlySet<string> | undefined {
  try {
    const { keys } = readKeyFile(readFileSync(keysFileOf(config, env), 'utf8'));
    return new Set([...keys.values()].map(({ name }) => name));
  } catch {
    // What is wrong with it is told where the keys are used.
    return undefined;
  }
}

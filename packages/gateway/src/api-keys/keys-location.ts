import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../config/substitution.ts';

/** Where the API keys are: as the environment says, else beside the configuration. */
export function keysFileOf(config: string | undefined, env: Environment): string {
  const { PROBITY_GATEWAY_API_KEYS_FILE: named } = env;
  if (named) return named;
  return join(config === undefined ? '.' : dirname(resolve(config)), 'gateway-keys');
}

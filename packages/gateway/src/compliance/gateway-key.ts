import { hkdfSync, randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from '@probity/core';
import { parseEncryptionKeys } from '@probity/core';
import { createKeyFile } from '@probity/core/internal';
import type { Environment } from '../config/substitution.ts';

/** Derives keys from the key of the gateway. */
export interface GatewayKey {
  /** 32 bytes; `label` separates the purposes. */
  derive(label: string): Uint8Array;
}

/**
 * The key of the gateway: `PROBITY_ENCRYPTION_KEY`, else that of the file `gateway.key` beside the configuration,
 * which is made at the first use, readable by its owner alone. Where the file cannot be made, a key lives as long
 * as the process: hashes of former starts can then not be compared with later ones.
 *
 * @throws Error when the variable or the file holds no key
 */
export function openGatewayKey(configFile: string, env: Environment, logger: Logger): GatewayKey {
  const { PROBITY_ENCRYPTION_KEY: given } = env;
  const fixed = given ? parseKeys(given) : undefined;
  let key = fixed;
  const derived = new Map<string, Uint8Array>();
  return {
    derive(label) {
      const known = derived.get(label);
      if (known) return known;
      key ??= readOrCreate(join(dirname(resolve(configFile)), 'gateway.key'), logger);
      const made = new Uint8Array(hkdfSync('sha256', key, '', `probity-gateway:${label}`, 32));
      derived.set(label, made);
      return made;
    },
  };
}

function parseKeys(given: string): Uint8Array {
  try {
    return first(parseEncryptionKeys(given));
  } catch (error) {
    throw new Error(`PROBITY_ENCRYPTION_KEY: ${(error as Error).message}`);
  }
}

function readOrCreate(path: string, logger: Logger): Uint8Array {
  const file = createKeyFile(path);
  const present = file.read();
  if (present) return first(present);
  try {
    return first(file.create());
  } catch (error) {
    logger.warn(
      'the key of the gateway cannot be stored: keyed hashes differ after the next start; set PROBITY_ENCRYPTION_KEY',
      { error },
    );
    return randomBytes(32);
  }
}

function first([key]: readonly Uint8Array[]): Uint8Array {
  if (key === undefined) throw new Error('there is no key');
  return key;
}

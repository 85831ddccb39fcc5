import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
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
 * The key of the gateway: `PROBITY_ENCRYPTION_KEY`, else that of the file `gateway.key` beside the configuration;
 * where there is none, in the folder of `PROBITY_GATEWAY_STATE_FOLDER`, if that is set: a configuration may be read only. It is made at the first
 * use, readable by its owner alone. Where the file cannot be made, a key lives as long
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
      key ??= readOrCreate(keyPath(configFile, env), logger);
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

function keyPath(configFile: string, { PROBITY_GATEWAY_STATE_FOLDER: state }: Environment): string {
  const beside = join(dirname(resolve(configFile)), 'gateway.key');
  return !state || existsSync(beside) ? beside : join(resolve(state), 'gateway.key');
}

function readOrCreate(path: string, logger: Logger): Uint8Array {
  const file = createKeyFile(path);
  const present = file.read();
  if (present) return first(present);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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

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
  /** The same of each key, the current one first; former ones are those that a rotation has left. */
  deriveAll(label: string): readonly Uint8Array[];
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
  let keys = fixed;
  const derived = new Map<string, readonly Uint8Array[]>();
  const deriveAll = (label: string) => {
    const known = derived.get(label);
    if (known) return known;
    keys ??= readOrCreate(keyPath(configFile, env), logger);
    const made = keys.map(
      (key) => new Uint8Array(hkdfSync('sha256', key, '', `probity-gateway:${label}`, 32)),
    );
    derived.set(label, made);
    return made;
  };
  return { deriveAll, derive: (label) => deriveAll(label)[0] as Uint8Array };
}

function parseKeys(given: string): readonly Uint8Array[] {
  try {
    return required(parseEncryptionKeys(given));
  } catch (error) {
    throw new Error(`PROBITY_ENCRYPTION_KEY: ${(error as Error).message}`);
  }
}

function keyPath(configFile: string, { PROBITY_GATEWAY_STATE_FOLDER: state }: Environment): string {
  const beside = join(dirname(resolve(configFile)), 'gateway.key');
  return !state || existsSync(beside) ? beside : join(resolve(state), 'gateway.key');
}

function readOrCreate(path: string, logger: Logger): readonly Uint8Array[] {
  const file = createKeyFile(path);
  const present = file.read();
  if (present) return required(present);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return required(file.create());
  } catch (error) {
    logger.warn(
      'the key of the gateway cannot be stored: keyed hashes differ after the next start; set PROBITY_ENCRYPTION_KEY',
      { error },
    );
    return [randomBytes(32)];
  }
}

function required(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  if (keys.length === 0) throw new Error('there is no key');
  return keys;
}

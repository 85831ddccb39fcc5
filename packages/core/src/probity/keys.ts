import { parseEncryptionKeys } from '../crypto/secret-box.ts';

/** Parses encryption keys. @throws TypeError that names the setting */
export function readKeys(setting: string, text: string): ReturnType<typeof parseEncryptionKeys> {
  try {
    return parseEncryptionKeys(text);
  } catch (cause) {
    throw new TypeError(`${setting} ${(cause as Error).message}`, { cause });
  }
}

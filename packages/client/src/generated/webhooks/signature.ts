// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * HMAC-SHA256 by Web Crypto, which Node, Deno, Bun and edge runtimes have.
 * @returns 32 bytes
 */
export async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Bytes in lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether one of the texts equals `expected`. How long it takes does not tell which characters differ. */
export function includesText(texts: readonly string[], expected: string): boolean {
  return texts.map((text) => equalTexts(text, expected)).includes(true);
}

function equalTexts(text: string, expected: string): boolean {
  if (text.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= text.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest >>> 0;
});
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CRC_SIGNS = 6;
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** CRC-32 as in ISO 3309, of the UTF-8 bytes of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Whether the last eight signs are the CRC-32, in hexadecimal, of all before them: the form of Packagist's tokens. */
export function endsInHexCrc(value: string): boolean {
  return crc32(value.slice(0, -8)).toString(16).padStart(8, '0') === value.slice(-8);
}

/** A number in base 62, digits before capitals before small letters, in at least six signs. */
export function toBase62(number: number): string {
  let signs = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) {
    signs = BASE62.charAt(rest % 62) + signs;
  }
  return signs.padStart(CRC_SIGNS, '0');
}

/**
 * Whether the last six signs are the CRC-32, in base 62, of what stands between the last underscore
 * and them: the form of the tokens of GitHub, npm, Vercel and Polar.
 */
export function endsInBase62Crc(value: string): boolean {
  const body = value.slice(value.lastIndexOf('_') + 1);
  return toBase62(crc32(body.slice(0, -CRC_SIGNS))) === body.slice(-CRC_SIGNS);
}

/** Whether the last seven signs are the CRC-32, in base 36, of all before them: the form of GitLab's routable tokens. */
export function endsInBase36Crc(value: string): boolean {
  return crc32(value.slice(0, -7)).toString(36).padStart(7, '0') === value.slice(-7);
}

/** Whether a text in Bech32 has the right check signs (BIP 173). Upper or lower case, not mixed. */
export function isBech32(value: string): boolean {
  const text = value.toLowerCase();
  if (text !== value && value.toUpperCase() !== value) return false;
  const border = text.lastIndexOf('1');
  const prefix = [...text.slice(0, border)].map((char) => char.charCodeAt(0));
  const data = [...text.slice(border + 1)].map((char) => BECH32.indexOf(char));
  if (border < 1 || data.includes(-1)) return false;
  const expanded = [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31)];
  let check = 1;
  for (const part of [...expanded, ...data]) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ part;
    BECH32_GENERATOR.forEach((generator, bit) => {
      if ((top >>> bit) & 1) check ^= generator;
    });
  }
  return check === 1;
}

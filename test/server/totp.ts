import { createHmac } from 'node:crypto';

/** An authenticator app's code for a base-32 secret (RFC 6238: SHA-1, 6 digits, 30 seconds). */
export function totpAt(secret: string, timeMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each));
  const bytes = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bytes.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

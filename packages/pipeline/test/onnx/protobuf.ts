/** As much of the protocol-buffer wire format as an ONNX file takes: whole numbers, texts, messages. */
export type Field = Buffer;

const VARINT = 0;
const LENGTH = 2;

/** A field that holds a whole number; negative ones in two's complement. */
export function int(field: number, value: number): Field {
  return Buffer.concat([varint((field << 3) | VARINT), varint(value)]);
}

/** A field that holds a text, bytes, or a message of further fields. */
export function bytes(field: number, value: string | Uint8Array | readonly Field[]): Field {
  const content = Array.isArray(value)
    ? Buffer.concat(value)
    : Buffer.from(value as string | Uint8Array);
  return Buffer.concat([varint((field << 3) | LENGTH), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const digits: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; ) {
    const digit = Number(rest & 127n);
    rest >>= 7n;
    digits.push(rest === 0n ? digit : digit | 128);
    if (rest === 0n) return Buffer.from(digits);
  }
}

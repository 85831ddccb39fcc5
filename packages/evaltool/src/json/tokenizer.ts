/** Kinds of tokens. */
export const TOKEN = {
  openObject: 0,
  closeObject: 1,
  openArray: 2,
  closeArray: 3,
  colon: 4,
  comma: 5,
  string: 6,
  /** A number, true, false or null. */
  scalar: 7,
} as const;

/** One of {@link TOKEN}. */
export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

/** Receives tokens. */
export interface TokenReceiver {
  /** Whether the text of a string that begins here is needed; otherwise it is empty. */
  wantsText(): boolean;
  token(kind: TokenKind, value: string | number | boolean | null): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Marks of a byte between tokens: it is passed over, is a token, or begins one. */
const [SPACE, STRING, SCALAR] = [0xfe, 0xfd, 0xfc] as const;

/** What each byte between tokens is; 0xff for none. */
const BETWEEN = new Uint8Array(256).fill(0xff);
for (const byte of Buffer.from(' \t\r\n')) BETWEEN[byte] = SPACE;
for (const byte of Buffer.from('-0123456789tfn')) BETWEEN[byte] = SCALAR;
for (const [kind, byte] of Buffer.from('{}[]:,').entries()) BETWEEN[byte] = kind;
BETWEEN[QUOTE] = STRING;

/** Bytes that a number or literal consists of. */
const IN_SCALAR = new Uint8Array(256);
for (const byte of Buffer.from('-+.0123456789eEtrufalsn')) IN_SCALAR[byte] = 1;

/** Bytes of a string that stand for themselves. */
const IS_PLAIN = new Uint8Array(256).fill(1, 0x20);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;

const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const HEX = new Set(Buffer.from('0123456789abcdefABCDEF'));
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** An unexpected byte, at its place in the text. */
export class UnexpectedByte extends Error {
  readonly position: number;

  constructor(position: number) {
    super(`unexpected byte at ${position}`);
    this.position = position;
  }
}

/**
 * Splits a JSON text in UTF-8 into tokens as it arrives. A string whose text is not needed is checked
 * and passed over, so that it costs no memory.
 */
export class Tokenizer {
  readonly #receiver: TokenReceiver;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  /** Bytes before those being read. */
  #offset = 0;
  #state: 'between' | 'string' | 'scalar' = 'between';
  /** The bytes of the token so far; null for a string that is passed over. */
  #parts: Buffer[] | null = null;
  #hasEscapes = false;
  /** Within an escape: 5 behind the backslash, and 4 to 1 hexadecimal digits to come. */
  #escape = 0;

  constructor(receiver: TokenReceiver) {
    this.#receiver = receiver;
  }

  /** @throws UnexpectedByte, or a TypeError for bytes that are not UTF-8 */
  write(chunk: Uint8Array): void {
    this.#utf8.decode(chunk, { stream: true });
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'between') at = this.#between(bytes, at);
      else if (this.#state === 'string') at = this.#string(bytes, at);
      else at = this.#scalar(bytes, at);
    }
    this.#offset += bytes.length;
  }

  /**
   * Ends the text.
   * @returns whether it ends behind a token
   */
  end(): boolean {
    this.#utf8.decode();
    if (this.#state === 'scalar') this.#endScalar(0);
    return this.#state === 'between';
  }

  #between(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      const kind = BETWEEN[byte] as number;
      if (kind === SPACE) continue;
      if (kind < SCALAR) {
        this.#receiver.token(kind as TokenKind, null);
      } else if (kind === STRING) {
        this.#state = 'string';
        this.#hasEscapes = false;
        this.#parts = this.#receiver.wantsText() ? [] : null;
        return at + 1;
      } else if (kind === SCALAR) {
        this.#state = 'scalar';
        this.#parts = [];
        return at;
      } else if (BYTE_ORDER_MARK[this.#offset + at] !== byte) {
        throw new UnexpectedByte(this.#offset + at);
      }
    }
    return bytes.length;
  }

  #string(bytes: Buffer, start: number): number {
    let at = start;
    while (at < bytes.length) {
      if (this.#escape > 0) {
        this.#inEscape(bytes[at] as number, at);
        at += 1;
        continue;
      }
      at = plainEnd(bytes, at);
      if (at === bytes.length) break;
      if (bytes[at] === QUOTE) {
        this.#endString(bytes, start, at);
        return at + 1;
      }
      if (bytes[at] !== BACKSLASH) throw new UnexpectedByte(this.#offset + at);
      this.#escape = 5;
      this.#hasEscapes = true;
      at += 1;
    }
    // A copy: the source may use its memory again.
    this.#parts?.push(Buffer.from(bytes.subarray(start)));
    return bytes.length;
  }

  #inEscape(byte: number, at: number): void {
    if (this.#escape < 5) {
      if (!HEX.has(byte)) throw new UnexpectedByte(this.#offset + at);
      this.#escape -= 1;
    } else if (byte === LETTER_U) {
      this.#escape = 4;
    } else {
      if (!ESCAPED.has(byte)) throw new UnexpectedByte(this.#offset + at);
      this.#escape = 0;
    }
  }

  #endString(bytes: Buffer, start: number, end: number): void {
    this.#state = 'between';
    const parts = this.#parts;
    if (!parts) {
      this.#receiver.token(TOKEN.string, '');
      return;
    }
    const text =
      parts.length === 0
        ? bytes.toString('utf8', start, end)
        : Buffer.concat([...parts, bytes.subarray(start, end)]).toString('utf8');
    this.#parts = null;
    this.#receiver.token(TOKEN.string, this.#hasEscapes ? JSON.parse(`"${text}"`) : text);
  }

  #scalar(bytes: Buffer, start: number): number {
    let at = start;
    while (at < bytes.length && IN_SCALAR[bytes[at] as number] === 1) at += 1;
    this.#parts?.push(Buffer.from(bytes.subarray(start, at)));
    if (at < bytes.length) this.#endScalar(at);
    return at;
  }

  #endScalar(at: number): void {
    const text = Buffer.concat(this.#parts ?? []).toString('latin1');
    this.#state = 'between';
    this.#parts = null;
    const literal = LITERALS.get(text);
    if (literal !== undefined) {
      this.#receiver.token(TOKEN.scalar, literal);
    } else if (NUMBER.test(text)) {
      this.#receiver.token(TOKEN.scalar, Number(text));
    } else {
      throw new UnexpectedByte(this.#offset + at);
    }
  }
}

/** Where the bytes of a string end that stand for themselves. */
function plainEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && IS_PLAIN[bytes[at] as number] === 1) at += 1;
  return at;
}

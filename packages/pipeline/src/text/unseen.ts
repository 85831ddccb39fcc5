/** Rows of tag letters (U+E0020 to U+E007E), each of which stands for a letter of ASCII. */
export const TAG_RUN: RegExp = /[\u{e0020}-\u{e007e}]{4,}/gu;

/** Rows of variation selectors: a sign that shows has one at most. */
export const SELECTOR_RUN: RegExp = /\p{Variation_Selector}{4,}/gu;

/** Rows of signs without a width. Joiners occur alone between letters or signs; a row of them can only be a code. */
export const WIDTHLESS_RUN: RegExp = /[\u200b-\u200f\u2060-\u2064\ufeff\u180e]{8,}/g;

/** Whether a text has a sign that rows above are made of. */
export const MAY_BE_UNSEEN: RegExp =
  /[\u180e\u200b-\u200f\u2060-\u2064\ufeff\udb40]|[\ufe00-\ufe0f]/;

const FLAG = '\u{1f3f4}';

/** Letters of the name of a region (`gbeng`) at most, as the flag of one has them. */
const REGION = 6;

/** Whether a row of tag letters from `index` on belongs to a flag (England, Scotland, Wales): a black flag comes before it. */
export function isFlag(run: string, text: string, index: number): boolean {
  return run.length <= REGION * 2 && text.endsWith(FLAG, index);
}

/**
 * Selectors of one text may also come one by one behind letters that show, at most two of which are between them. The
 * selectors of a row of emoji are found too, but no text has the bytes that they stand for.
 */
export const SELECTORS: RegExp =
  /\p{Variation_Selector}(?:\P{Variation_Selector}{0,2}\p{Variation_Selector}){3,}/gu;

/** A text in bits has eight signs for a byte. */
export const BITS: RegExp = /[\u200b-\u200f\u2060-\u2064\ufeff\p{Variation_Selector}]{32,}/gu;

const LOW_SELECTORS = 0xfe00;
const HIGH_SELECTORS = 0xe0100;
const LOW_COUNT = 16;
const HIGH_COUNT = 240;

/** The letters of tags; undefined where they belong to a flag. */
export function lettersOfTags(run: string, text: string, index: number): string | undefined {
  if (isFlag(run, text, index)) return undefined;
  const codes = [...run].map((sign) => (sign.codePointAt(0) as number) - 0xe0000);
  return String.fromCharCode(...codes.slice(0, 4096));
}

/**
 * The bytes that variation selectors may stand for, in the ways that are in use: 256 selectors for 256 bytes, the later
 * 240 for the bytes from 0 on, and the first 16 for halves of bytes.
 */
export function bytesOfSelectors(run: string): Uint8Array<ArrayBuffer>[] {
  const codes = [...run].map((sign) => sign.codePointAt(0) as number);
  const low = codes.filter(isLow).map((code) => code - LOW_SELECTORS);
  const bytes = codes.filter((code) => isHigh(code) || (isLow(code) && !ofEmoji(code)));
  const hasLow = bytes.some(isLow);
  const readings = [
    Uint8Array.from(
      bytes,
      (code) => code - (isLow(code) ? LOW_SELECTORS : HIGH_SELECTORS - LOW_COUNT),
    ),
  ];
  // Those of one kind alone may be of another way; with both kinds there is one way only.
  if (!hasLow) readings.push(Uint8Array.from(bytes, (code) => code - HIGH_SELECTORS));
  if (!bytes.some(isHigh)) readings.push(bytesOfHalves(low), bytesOfHalves(low.slice(1)));
  return readings;
}

function isLow(code: number): boolean {
  return code >= LOW_SELECTORS && code < LOW_SELECTORS + LOW_COUNT;
}

function isHigh(code: number): boolean {
  return code >= HIGH_SELECTORS && code < HIGH_SELECTORS + HIGH_COUNT;
}

/** Those that emoji have; as bytes they would be controls. */
function ofEmoji(code: number): boolean {
  return code === 0xfe0e || code === 0xfe0f;
}

function bytesOfHalves(halves: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(halves.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = ((halves[2 * at] as number) << 4) | (halves[2 * at + 1] as number);
  }
  return bytes;
}

/**
 * The bytes that signs that show nothing may stand for as bits: two kinds of sign are the bits, either of them 0, and
 * others only part the letters.
 *
 * @param isCut whether the run begins before the text, so that its first byte may be cut in two
 */
export function bytesOfBits(run: string, isCut: boolean): Uint8Array[] {
  const counts = new Map<string, number>();
  for (const sign of run) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a).map(([sign]) => sign);
  if (first === undefined || second === undefined) return [];
  return [first, second].flatMap((one) => {
    const bitOf = (sign: string) =>
      sign === one ? '1' : sign === first || sign === second ? '0' : ' ';
    return readingsOfBits([...run].map(bitOf).join(''), isCut);
  });
}

function readingsOfBits(bits: string, isCut: boolean): Uint8Array[] {
  const letters = bits.split(' ').filter((letter) => letter !== '');
  if (letters.length > 1) {
    const codes = letters.map((letter) => Number.parseInt(letter, 2) & 0xffff);
    return [Buffer.from(String.fromCharCode(...codes))];
  }
  const joined = letters.join('');
  return Array.from({ length: isCut ? 8 : 1 }, (_, phase) => {
    const bytes = joined.slice(phase).match(/.{8}/g) ?? [];
    return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
  });
}

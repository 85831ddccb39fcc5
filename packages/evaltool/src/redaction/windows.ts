import { randomBytes } from 'node:crypto';
import { isAscii } from './folding.ts';

/** Length in UTF-16 units of a window. */
export const WINDOW = 8;

/** Entries of the table for each window, so that most look-ups end at an empty one. */
const TABLE_FACTOR = 4;

/** Bits of a hash that the filter has more than the table: it is empty nearly everywhere. */
const FILTER_BITS = 3;

/** Entries of the table that stand for no window, and for one that has been found. */
const [EMPTY, FOUND] = [0, -1] as const;

/** Odd, and not known outside: no text can be made of which all windows have one hash. */
const BASE = randomBytes(4).readUInt32LE() | 1;

/** Of the unit that leaves a window. */
const LAST_POWER = Array.from({ length: WINDOW - 1 }).reduce<number>(
  (power) => Math.imul(power, BASE),
  1,
);

/** UTF-16 units that are looked at between two steps. */
export const STEP = 65_536;

/** An array of units is read several times faster than a string; it is used within one step only. */
const scratch = Buffer.alloc(2 * (STEP + WINDOW));

/**
 * The units of a text, with ASCII letters in lower case.
 * @param place holds them; it has room for them
 */
function unitsOf(text: string, place: Buffer): Uint16Array {
  const isPlain = isAscii(text);
  place.write(isPlain ? text.toLowerCase() : text, 'utf16le');
  const units = new Uint16Array(place.buffer, place.byteOffset, text.length);
  if (isPlain) return units;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as number;
    if (unit >= 0x41 && unit <= 0x5a) units[at] = unit | 0x20;
  }
  return units;
}

/**
 * The windows of a text: all its parts of {@link WINDOW} units, without regard to the case of ASCII letters. Finds
 * them in others by a rolling hash.
 */
export class Windows {
  readonly #units: Uint16Array;
  /** By hash the position of each window plus one, the last where it stands several times. */
  readonly #table: Int32Array;
  readonly #shift: number;
  /** How many windows that have not been found have a hash that begins with these bits, up to 255. */
  readonly #filter: Uint8Array;
  /** By position the one before at which the same window stands, plus one. */
  readonly #same: Int32Array;
  /** Positions of the windows that have been found. */
  readonly #found: Uint8Array;
  /** Different windows that have not been found. */
  #left = 0;

  constructor(text: string) {
    // A folded text may be many times as long as the text, and the labels of a file are many.
    this.#units = unitsOf(text, Buffer.alloc(2 * text.length));
    const count = Math.max(text.length - WINDOW + 1, 1);
    const bits = Math.ceil(Math.log2(count * TABLE_FACTOR));
    this.#table = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#filter = new Uint8Array(2 ** (bits + FILTER_BITS));
    this.#same = new Int32Array(count);
    this.#found = new Uint8Array(count);
    for (let at = 0; at + WINDOW <= text.length; at += 1) this.#put(at);
  }

  /** Whether every window has been found. */
  get isEmpty(): boolean {
    return this.#left === 0;
  }

  #put(at: number): void {
    const mask = this.#table.length - 1;
    let sum = 0;
    for (let each = at; each < at + WINDOW; each += 1) sum = add(sum, this.#units[each] as number);
    const hash = mix(sum);
    let slot = hash >>> this.#shift;
    for (let entry = this.#table[slot]; entry; entry = this.#table[slot]) {
      if (this.#matches(entry - 1, this.#units, at)) {
        this.#same[at] = entry;
        this.#table[slot] = at + 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#table[slot] = at + 1;
    this.#left += 1;
    const place = hash >>> (this.#shift - FILTER_BITS);
    this.#filter[place] = Math.min((this.#filter[place] as number) + 1, 255);
  }

  /**
   * Looks for the windows that begin from `start` on in another text, `count` of them at most, and no more than
   * {@link STEP}.
   */
  find(other: string, start: number, count = STEP): void {
    const units = unitsOf(other.slice(start, start + count + WINDOW - 1), scratch);
    const filter = this.#filter;
    const shift = this.#shift - FILTER_BITS;
    let sum = 0;
    for (let at = 0; at < WINDOW - 1; at += 1) sum = add(sum, units[at] as number);
    // Without a function for each unit: this loop reads every text of a file.
    for (let at = WINDOW - 1; at < units.length; at += 1) {
      sum = add(sum, units[at] as number);
      const from = at - WINDOW + 1;
      const hash = mix(sum);
      if (filter[hash >>> shift] !== 0 && this.#find(hash, units, from)) {
        filter[hash >>> shift] = Math.max((filter[hash >>> shift] as number) - 1, 0);
      }
      sum = (sum - Math.imul(units[from] as number, LAST_POWER)) | 0;
    }
  }

  /** Looks for the windows in all of another text. */
  findAll(other: string): void {
    for (let at = 0; at < other.length && !this.isEmpty; at += STEP) this.find(other, at);
  }

  /** Whether a window that stands at a place of another text is found for the first time. */
  #find(hash: number, units: Uint16Array, from: number): boolean {
    const table = this.#table;
    const mask = table.length - 1;
    for (let slot = hash >>> this.#shift; table[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const entry = table[slot] as number;
      if (entry === FOUND || !this.#matches(entry - 1, units, from)) continue;
      for (let each = entry; each > 0; each = this.#same[each - 1] as number)
        this.#found[each - 1] = 1;
      table[slot] = FOUND;
      this.#left -= 1;
      return true;
    }
    return false;
  }

  #matches(position: number, units: Uint16Array, from: number): boolean {
    for (let each = 0; each < WINDOW; each += 1) {
      if (this.#units[position + each] !== units[from + each]) return false;
    }
    return true;
  }

  /** Marks the units of all windows that have been found. */
  markFound(marks: Uint8Array): void {
    let end = 0;
    for (let at = 0; at < marks.length; at += 1) {
      if (this.#found[at] === 1) end = at + WINDOW;
      if (at < end) marks[at] = 1;
    }
  }
}

function add(sum: number, unit: number): number {
  return (Math.imul(sum, BASE) + unit) | 0;
}

/** Spreads the sum over the first bits. */
function mix(sum: number): number {
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
}

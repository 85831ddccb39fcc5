/** Parts of up to so many units are kept as numbers: to copy a longer one unit by unit takes more than to keep it. */
const SHORT = 8;
/** So many units of short parts become one text. */
const PACKED = 128;
/** So many units of texts become one piece: kept one by one, each is an object that the garbage collector moves. */
const PIECE = 1_024;

/**
 * A text that grows at its end, by parts of one unit or of thousands, without copying all of it each time. UTF-16
 * units. To keep each part of a few units as a text and to join them takes longer than some stages take to scan them.
 */
export class GatheredText {
  /** The text from its beginning, up to what is in `#loose` and then in `#codes`. */
  readonly #pieces: string[] = [];
  /** How many of the pieces have been taken. */
  #taken = 0;
  #loose: string[] = [];
  #looseLength = 0;
  /** Numbers only, and made by the first short part. */
  #codes: number[] | undefined;
  #filled = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: string): void {
    const { length } = part;
    this.#length += length;
    if (length > SHORT) {
      this.#unpack();
      this.#keep(part);
      return;
    }
    if (this.#filled + length > PACKED) this.#unpack();
    this.#codes ??= new Array<number>(PACKED).fill(0);
    const codes = this.#codes;
    const from = this.#filled;
    for (let at = 0; at < length; at++) codes[from + at] = part.charCodeAt(at);
    this.#filled = from + length;
  }

  /** `before` and what has been added since the last time, in one copy. */
  takeNew(before: string): string {
    this.#join();
    const fresh = this.#pieces.slice(this.#taken);
    this.#taken = this.#pieces.length;
    if (before !== '') fresh.unshift(before);
    return joined(fresh);
  }

  /** All that was added. */
  whole(): string {
    this.#join();
    return joined(this.#pieces);
  }

  #unpack(): void {
    if (this.#filled === 0) return;
    const codes = this.#codes as number[];
    const some = this.#filled === PACKED ? codes : codes.slice(0, this.#filled);
    this.#filled = 0;
    // One byte a unit where all are Latin-1, as the join of such texts.
    this.#keep(String.fromCharCode.apply(null, some));
  }

  #keep(part: string): void {
    this.#loose.push(part);
    this.#looseLength += part.length;
    if (this.#looseLength >= PIECE) this.#join();
  }

  #join(): void {
    this.#unpack();
    if (this.#looseLength === 0) return;
    this.#pieces.push(joined(this.#loose));
    this.#loose = [];
    this.#looseLength = 0;
  }
}

function joined(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] as string) : texts.join('');
}

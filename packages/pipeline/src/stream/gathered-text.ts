/** A text that grows at its end, without copying all of it each time. UTF-16 units. */
export class GatheredText {
  /** The text up to where it was taken last, in pieces. */
  readonly #taken: string[] = [];
  #fresh: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: string): void {
    this.#fresh.push(part);
    this.#length += part.length;
  }

  /** What has been added since the last time. */
  takeNew(): string {
    const text = this.#fresh.join('');
    this.#fresh = [];
    this.#taken.push(text);
    return text;
  }

  /** All that was added. */
  whole(): string {
    return [...this.#taken, ...this.#fresh].join('');
  }
}

/** The places of each of many keys, ascending, in flat arrays that are used again and again. */
export interface PlaceLists {
  /** First link of each list, by the number of its key. */
  heads: Int32Array;
  /** Places in each list. */
  lengths: Int32Array;
  /** Place of each link. */
  places: Int32Array;
  /** The link behind each one, or -1. */
  next: Int32Array;
  /** Makes them empty, for about so many places; more fit as well. */
  reset(expected: number): void;
  /** Adds a place, larger than those before, and gives the number of the key. */
  add(key: number, place: number): number;
  /** The number of a key, or -1. */
  find(key: number): number;
}

const FIRST_BITS = 10;

/** Empty lists. */
export function createPlaceLists(): PlaceLists {
  return new FlatLists();
}

class FlatLists implements PlaceLists {
  heads = new Int32Array(1 << (FIRST_BITS - 1));
  lengths = new Int32Array(1 << (FIRST_BITS - 1));
  places = new Int32Array(1 << (FIRST_BITS - 1));
  next = new Int32Array(1 << (FIRST_BITS - 1));
  #tails = new Int32Array(1 << (FIRST_BITS - 1));
  #keys = new Int32Array(1 << FIRST_BITS);
  /** Number of the key of each slot, plus one; 0 where the slot is empty. */
  #numbers = new Int32Array(1 << FIRST_BITS);
  #mask = (1 << FIRST_BITS) - 1;
  #count = 0;
  #links = 0;

  reset(expected: number): void {
    const bits = Math.max(6, Math.ceil(Math.log2(expected * 2 + 1)));
    if (1 << bits > this.#keys.length) {
      this.#keys = new Int32Array(1 << bits);
      this.#numbers = new Int32Array(1 << bits);
    } else this.#numbers.fill(0, 0, 1 << bits);
    this.#mask = (1 << bits) - 1;
    if (this.places.length < expected) this.#growTo(expected);
    this.#count = 0;
    this.#links = 0;
  }

  add(key: number, place: number): number {
    if (this.#links === this.places.length) this.#growTo(this.#links * 2);
    const link = this.#links++;
    this.places[link] = place;
    this.next[link] = -1;
    const slot = this.#slotOf(key);
    const held = (this.#numbers[slot] as number) - 1;
    if (held >= 0) {
      this.next[this.#tails[held] as number] = link;
      this.#tails[held] = link;
      this.lengths[held] = (this.lengths[held] as number) + 1;
      return held;
    }
    const number = this.#count++;
    this.#keys[slot] = key;
    this.#numbers[slot] = number + 1;
    this.heads[number] = link;
    this.#tails[number] = link;
    this.lengths[number] = 1;
    if (this.#count * 2 > this.#mask) this.#growTable();
    return number;
  }

  find(key: number): number {
    return (this.#numbers[this.#slotOf(key)] as number) - 1;
  }

  #slotOf(key: number): number {
    const mixed = Math.imul(key ^ (key >>> 16), 0x45d9f3b);
    let slot = (mixed ^ (mixed >>> 15)) & this.#mask;
    while (this.#numbers[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #growTo(capacity: number): void {
    const grow = (held: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(capacity);
      grown.set(held.subarray(0, capacity));
      return grown;
    };
    this.heads = grow(this.heads);
    this.lengths = grow(this.lengths);
    this.places = grow(this.places);
    this.next = grow(this.next);
    this.#tails = grow(this.#tails);
  }

  #growTable(): void {
    const [keys, numbers, size] = [this.#keys, this.#numbers, this.#mask + 1];
    this.#keys = new Int32Array(size * 2);
    this.#numbers = new Int32Array(size * 2);
    this.#mask = size * 2 - 1;
    for (let slot = 0; slot < size; slot++) {
      if (numbers[slot] === 0) continue;
      const to = this.#slotOf(keys[slot] as number);
      this.#keys[to] = keys[slot] as number;
      this.#numbers[to] = numbers[slot] as number;
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { NearestMatches, productOf, toUnit } from './nearest.ts';
import type { VectorFilter, VectorMatch } from './types.ts';
import { requireLength } from './types.ts';

/** Products of one turn of the event loop; they take some milliseconds. */
const TURN_PRODUCTS = 4_000_000;
/** Vectors that a new index has room for. */
const FIRST_ROOM = 64;

/**
 * Vectors of one length in the memory of the process, one behind the other. A search compares with each of them, and
 * lets the event loop turn meanwhile: the caller sees to it that nothing is changed until it has ended.
 */
export class FlatIndex {
  /** The length of the vectors. */
  readonly length: number;
  #values: Float32Array;
  readonly #ids: string[] = [];
  readonly #categories: (string | null)[] = [];
  readonly #places = new Map<string, number>();

  constructor(length: number) {
    this.length = length;
    this.#values = new Float32Array(length * FIRST_ROOM);
  }

  /** Bytes of memory, nearly. */
  get bytes(): number {
    return this.#values.byteLength + this.#ids.length * 200;
  }

  /** Adds or replaces the vector of an id, which has length 1. */
  put(id: string, vector: Float32Array, category: string | null): void {
    const place = this.#places.get(id) ?? this.#ids.length;
    this.#makeRoom(place + 1);
    this.#values.set(vector, place * this.length);
    this.#ids[place] = id;
    this.#categories[place] = category;
    this.#places.set(id, place);
  }

  /** Removes the vector of an id, if there is one; the last vector takes its place. */
  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const last = this.#ids.length - 1;
    const [lastId, lastCategory] = [this.#ids.pop() as string, this.#categories.pop() ?? null];
    this.#places.delete(id);
    if (place === last) return;
    const { length } = this;
    this.#values.copyWithin(place * length, last * length, (last + 1) * length);
    this.#ids[place] = lastId;
    this.#categories[place] = lastCategory;
    this.#places.set(lastId, place);
  }

  /** The nearest by cosine, nearest first, equally near ones by id. */
  async search(
    vector: Float32Array,
    count: number,
    { category }: VectorFilter = {},
  ): Promise<VectorMatch[]> {
    requireLength(vector, this.length);
    const query = toUnit(vector);
    if (!query) return [];
    const nearest = new NearestMatches(count);
    const perTurn = Math.ceil(TURN_PRODUCTS / this.length);
    for (let place = 0; place < this.#ids.length; place++) {
      if (place % perTurn === perTurn - 1) await nextTurn();
      if (category !== undefined && this.#categories[place] !== category) continue;
      const similarity = productOf(query, this.#values, place * this.length);
      nearest.add(this.#ids[place] as string, similarity);
    }
    return nearest.matches;
  }

  #makeRoom(vectors: number): void {
    const needed = vectors * this.length;
    if (needed <= this.#values.length) return;
    const values = new Float32Array(Math.max(needed, Math.ceil(this.#values.length * 1.5)));
    values.set(this.#values);
    this.#values = values;
  }
}

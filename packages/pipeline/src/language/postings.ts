/** Places of a key in ascending order, kept in two flat arrays; memory is 12 to 20 bytes a place. */
export interface Postings {
  /** Index of the key's first place in `places`, or -1. */
  find(key: number): number;
  /** Index behind the key's last place, for a `slot` that `find` returned. */
  endOf(slot: number): number;
  readonly places: Int32Array;
}

/**
 * Sorts the places 0..keys.length - 1 by key, skipping those where `keys` has 0.
 *
 * @param keys the key of each place; 0 for none
 */
export function createPostings(keys: Int32Array): Postings {
  const places = sortPlaces(keys);
  const groups = countGroups(keys, places);
  const bits = Math.max(4, Math.ceil(Math.log2(groups * 2 + 1)));
  const mask = (1 << bits) - 1;
  const table = new Int32Array(1 << bits).fill(-1);
  // At least sixteen bits a key, of which one is set: most keys that are not there are seen here.
  const filter = new Int32Array(1 << Math.max(0, bits - 2));
  const ends = new Int32Array(places.length);
  for (let from = 0; from < places.length; ) {
    const key = keys[places[from] as number] as number;
    let to = from + 1;
    while (to < places.length && keys[places[to] as number] === key) to++;
    ends[from] = to;
    const mixed = mix(key);
    const word = filterWord(mixed, filter.length);
    filter[word] = (filter[word] as number) | (1 << (mixed >>> 27));
    let slot = mixed & mask;
    while (table[slot] !== -1) slot = (slot + 1) & mask;
    table[slot] = from;
    from = to;
  }
  return {
    places,
    endOf: (slot) => ends[slot] as number,
    find(key) {
      const mixed = mix(key);
      const bit = 1 << (mixed >>> 27);
      if (((filter[filterWord(mixed, filter.length)] as number) & bit) === 0) return -1;
      for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
        const from = table[slot] as number;
        if (from === -1 || keys[places[from] as number] === key) return from;
      }
    },
  };
}

/** The places that have a key, by key and then by place: a radix sort in two steps of 16 bits. */
function sortPlaces(keys: Int32Array): Int32Array {
  const held = Int32Array.from(keys.keys()).filter((place) => keys[place] !== 0);
  return sortByBits(keys, sortByBits(keys, held, 0), 16);
}

function sortByBits(keys: Int32Array, places: Int32Array, shift: number): Int32Array {
  const starts = new Uint32Array(65_537);
  const digitOf = (place: number) => ((keys[place] as number) >>> shift) & 0xffff;
  for (const place of places) {
    const after = digitOf(place) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let digit = 1; digit < starts.length; digit++) {
    starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
  }
  const sorted = new Int32Array(places.length);
  for (const place of places) {
    const digit = digitOf(place);
    const at = starts[digit] as number;
    sorted[at] = place;
    starts[digit] = at + 1;
  }
  return sorted;
}

function countGroups(keys: Int32Array, places: Int32Array): number {
  let groups = 0;
  for (let at = 0; at < places.length; at++) {
    if (at === 0 || keys[places[at] as number] !== keys[places[at - 1] as number]) groups++;
  }
  return groups;
}

function mix(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 15);
}

function filterWord(mixed: number, length: number): number {
  return (mixed >>> 6) & (length - 1);
}

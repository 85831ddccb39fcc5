/**
 * Which class a word belongs to (an insult, a group of people, a verb of killing, "I", "not"): an
 * open table from the hash of a word to the number of its class, 1 to 255; 0 stands for no class.
 */
export interface WordClasses {
  /** The number of the class of a word or a sign, by its hash as `readFeatures` gives it; or 0. */
  classOf(word: number): number;
}

/** A word's hash and the number of its class. */
export type ClassEntry = readonly [word: number, number: number];

const LEAST_SIZE = 64;

/** Makes the table of some words; the first entry of a word counts. */
export function createWordClasses(entries: readonly ClassEntry[]): WordClasses {
  let size = LEAST_SIZE;
  while (size < entries.length * 2) size *= 2;
  const mask = size - 1;
  const words = new Int32Array(size);
  const numbers = new Uint8Array(size);
  const placeOf = (word: number): number => {
    let at = (word ^ (word >>> 15)) & mask;
    while (numbers[at] !== 0 && words[at] !== word) at = (at + 1) & mask;
    return at;
  };
  for (const [word, number] of entries) {
    const at = placeOf(word);
    if (numbers[at] !== 0) continue;
    words[at] = word;
    numbers[at] = number;
  }
  return { classOf: (word) => numbers[placeOf(word)] as number };
}

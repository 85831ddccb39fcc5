import functionWords from '../language/data/function-words.json' with { type: 'json' };
import { createHashTable } from '../language/hash-table.ts';
import { hashOfWord } from '../models/hash-words.ts';

/** Words that carry grammar. */
const FUNCTION = 1;
/** Words that point at a text nearby. */
export const POINTING = 2;
/** Words for the author. */
export const SELF = 4;
/** Words for the reader. */
export const READER = 8;
/** Words about answers and those who give them. */
export const MACHINE = 16;

/** How many bits the classes take. */
export const CLASS_BITS = 5;
/** All classes. */
export const CLASSES = 2 ** CLASS_BITS - 1;

const WORDS: readonly (readonly [words: readonly string[], bit: number])[] = [
  [functionWords, FUNCTION],
  [
    (
      'this these that those following below above text document article passage mail email message ' +
      'table page paragraph sentence list code context it story review given'
    ).split(' '),
    POINTING,
  ],
  ['i my me we our us mine'.split(' '), SELF],
  ['you your yours yourself'.split(' '), READER],
  [
    'answer response reply output summary code solution assistant ai model user prompt instruction instructions'.split(
      ' ',
    ),
    MACHINE,
  ],
];

/**
 * What is known of a word, by its hash in the features of a text: its classes as bits, and above
 * them its number among the words that have a topic, from 1 on; 0 or less for nothing.
 */
export type WordTable = (word: number) => number;

/** Makes the table of the words above and of those that have a topic, by their hashes. */
export function createWordTable(topics: Int32Array): WordTable {
  const table = createHashTable(topics.length);
  topics.forEach((word, row) => {
    table.set(word, (row + 1) << CLASS_BITS);
  });
  for (const [words, bit] of WORDS) {
    for (const word of words) {
      const hash = hashOfWord(word);
      table.set(hash, Math.max(0, table.get(hash)) | bit);
    }
  }
  return table.get;
}

import { FUNCTION_WORDS } from '../language/data/function-words.ts';
import { createHashTable } from '../language/hash-table.ts';
import { hashOfWord } from '../models/hash-words.ts';

/** Words that carry grammar. */
export const FUNCTION = 1;
/** Words that point at a text nearby. */
export const POINTING = 2;
/** Words for whoever writes. */
export const SELF = 4;
/** Words for whoever reads. */
export const READER = 8;
/** Words about answers and those who give them. */
export const MACHINE = 16;

const CLASSES = createHashTable(1024);
learn(FUNCTION_WORDS, FUNCTION);
learn(
  'this these that those following below above text document article passage mail email message ' +
    'table page paragraph sentence list code context it story review given',
  POINTING,
);
learn('i my me we our us mine', SELF);
learn('you your yours yourself', READER);
learn(
  'answer response reply output summary code solution assistant ai model user prompt instruction instructions',
  MACHINE,
);

function learn(words: string, bit: number): void {
  for (const word of words.split(/\s+/)) {
    const hash = hashOfWord(word);
    CLASSES.set(hash, Math.max(0, CLASSES.get(hash)) | bit);
  }
}

/** The classes of a word by its hash in the features of a text, as bits. */
export function classesOf(word: number): number {
  return Math.max(0, CLASSES.get(word));
}

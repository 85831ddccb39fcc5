import { afterEveryScan } from '../scan-memory.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { eachWord } from './join-words.ts';

/** The words of one text in columns; valid below `count`. */
export interface ScannedWords {
  tokens: Tokens | undefined;
  count: number;
  hash: Int32Array;
  start: Int32Array;
  end: Int32Array;
  /** Bits of SHAPE, and those of GAP in the second byte. */
  marks: Int32Array;
  /** The bits of the gap behind the last word. */
  lastGap: number;
}

/** Prompt, response and a context or two: the texts that one stage reads before the next one does. */
const KEPT = 4;
const FIRST_CAPACITY = 1024;
const held: ScannedWords[] = [];
let oldest = 0;
afterEveryScan(() => {
  for (const words of held) words.tokens = undefined;
});

/**
 * The words of a text. Those of the last few texts are kept, since several stages read the same
 * ones; what is returned is valid until other texts are read.
 */
export function scannedWords(tokens: Tokens): ScannedWords {
  for (const words of held) if (words.tokens === tokens) return words;
  let words = held[oldest];
  if (words === undefined) {
    words = createScannedWords(FIRST_CAPACITY);
    held.push(words);
  }
  oldest = (oldest + 1) % KEPT;
  joinInto(words, tokens);
  return words;
}

function createScannedWords(capacity: number): ScannedWords {
  return { tokens: undefined, count: 0, lastGap: 0, ...columnsOf(capacity) };
}

function columnsOf(capacity: number): Pick<ScannedWords, 'hash' | 'start' | 'end' | 'marks'> {
  return {
    hash: new Int32Array(capacity),
    start: new Int32Array(capacity),
    end: new Int32Array(capacity),
    marks: new Int32Array(capacity),
  };
}

function joinInto(words: ScannedWords, tokens: Tokens): void {
  words.tokens = undefined;
  // A word has a token at least.
  const most = tokens.rows.length / tokens.width;
  if (words.hash.length < most) Object.assign(words, columnsOf(most * 2));
  const { hash, start, end, marks } = words;
  let count = 0;
  words.lastGap = eachWord(tokens, (key, from, to, shape, gap) => {
    hash[count] = key;
    start[count] = from;
    end[count] = to;
    marks[count] = shape | (gap << 8);
    count++;
  });
  words.count = count;
  words.tokens = tokens;
}

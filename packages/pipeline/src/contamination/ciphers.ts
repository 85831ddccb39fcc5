import type { HashTable } from '../language/hash-table.ts';
import { createHashTable } from '../language/hash-table.ts';
import { eachWord } from '../language/join-words.ts';
import type { ChangedText } from '../text/changes.ts';
import { createChangeList } from '../text/changes.ts';
import { allMatches } from '../text/matches.ts';
import type { PreparedText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import { createViewBuilder } from '../text/text-view.ts';
import { spliceTokens } from '../tokens/splice.ts';
import { hashWord } from '../tokens/word-hash.ts';
import type { WordBuffer } from './word-buffer.ts';
import { countOf } from './word-letters.ts';

/** Protected words as they are in a simple cipher, with the place of the word among the protected ones. */
export interface CipherWords {
  /** Letters turned by thirteen (ROT13). */
  readonly turned: HashTable;
  /** Letters from right to left. */
  readonly reversed: HashTable;
  /** A bit for each word of both by its hash, so that most others are seen to be none of them. */
  readonly filter: Int32Array;
}

/** What is needed of the index to read a cipher. */
interface ProtectedWords extends CipherWords {
  readonly words: Int32Array;
  readonly letters: Int32Array;
}

/** So many protected words of three signs or more make it worth while to read a text as a cipher. */
const MIN_HITS = 4;
const MIN_SIGNS = 3;
/** A hash that stands for any word that no protected word comes to. */
const OTHER_WORD = 0;
const FILTER_WORDS = 1 << 12;
const TURN = 13;
const LETTERS = 26;
const FIRST = 0x61;

/** Makes empty tables of words in ciphers. */
export function createCipherWords(): CipherWords & {
  /** Adds a protected word, in lower case, that stands at `place`. */
  add(word: string, place: number): void;
} {
  const turned = createHashTable(1024);
  const reversed = createHashTable(1024);
  const filter = new Int32Array(FILTER_WORDS);
  const set = (table: HashTable, word: string, place: number): void => {
    const hash = hashWord(word);
    table.set(hash, place);
    const at = filterPlace(hash);
    if (word.length >= MIN_SIGNS) filter[at] = (filter[at] as number) | (1 << (hash & 31));
  };
  return {
    turned,
    reversed,
    filter,
    add(word, place) {
      set(turned, turnLetters(word), place);
      set(reversed, word.split('').reverse().join(''), place);
    },
  };
}

function filterPlace(hash: number): number {
  return (hash >>> 5) & (FILTER_WORDS - 1);
}

function turnLetters(word: string): string {
  return word.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(FIRST + ((letter.charCodeAt(0) - FIRST + TURN) % LETTERS)),
  );
}

/**
 * Reads the words from number `from` on as ROT13 and as a text from right to left. Gives the protected
 * words that they come to, in the order of the plain text, where there are some; others have the hash 0.
 */
export function readCiphers(
  index: ProtectedWords,
  words: WordBuffer,
  from: number,
): (readonly CipherWord[])[] {
  if (!mayHave(index.filter, words, from)) return [];
  const turned = decipher(index, index.turned, words, from);
  const reversed = decipher(index, index.reversed, words, from)?.reverse();
  return [turned, reversed].filter((found) => found !== undefined);
}

function mayHave(filter: Int32Array, { count, hash }: WordBuffer, from: number): boolean {
  let hits = 0;
  for (let at = from; at < count; at++) {
    const key = hash[at] as number;
    hits += ((filter[filterPlace(key)] as number) >>> (key & 31)) & 1;
  }
  return hits >= MIN_HITS;
}

/** A word of a cipher: hash of the protected word, and where it stands. */
export interface CipherWord {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

function decipher(
  { words: known, letters }: ProtectedWords,
  table: HashTable,
  { count, hash, start, end }: WordBuffer,
  from: number,
): CipherWord[] | undefined {
  let hits = 0;
  for (let at = from; at < count; at++) {
    const place = table.get(hash[at] as number);
    if (place >= 0 && countOf(letters[place] as number) >= MIN_SIGNS) hits++;
  }
  if (hits < MIN_HITS) return undefined;
  return Array.from({ length: count - from }, (_, offset) => {
    const at = from + offset;
    const place = table.get(hash[at] as number);
    const plain = place < 0 ? OTHER_WORD : (known[place] as number);
    return { hash: plain, start: start[at] as number, end: end[at] as number };
  });
}

// Letters, each parted from the next by one same kind of sign; words are parted by more.
const SPACED =
  /(?=.[ .\-_*|/])(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ .\-_*|/][\p{L}\p{N}]){1,400}(?![\p{L}\p{N}])/gu;
const MIN_SINGLE = 6;
const MAY_BE_LEET = /[a-zA-Z][013457-9@$!|]/;
const IN_WORD = /[a-z][013457-9@$!|]|[013457-9@$|][a-z]/g;
const MIN_IN_WORD = 6;
const LEET = '01345789@$!|';
const SPELLED = 'oieastbgasii';

/**
 * The words of a text with spaced letters joined and signs in place of letters spelled out, bolder than the
 * other stages read it: what comes out counts only where it is protected. Undefined where there is
 * nothing of the kind.
 */
export function readSpelled(
  text: PreparedText,
  words: WordBuffer,
  from: number,
): CipherWord[] | undefined {
  if (!(MAY_BE_LEET.test(text.normalized.text) || mayBeSpaced(words, from))) return undefined;
  const { folded } = text;
  const steps: ChangedText[] = [];
  const view = joinLetters(folded, steps);
  const isLeet = hasLeet(view.text);
  if (view === folded && !isLeet) return undefined;
  const spelled: CipherWord[] = [];
  if (isLeet) steps.push(spellOut(view.text));
  eachWord(steps.reduce(spliceTokens, text.tokensOf(folded)), (hash, start, end) => {
    spelled.push({ hash, ...view.range(start, end) });
  });
  return spelled;
}

/** Whether a text has several signs that may stand for a letter within a word. */
function hasLeet(text: string): boolean {
  IN_WORD.lastIndex = 0;
  let count = 0;
  while (count < MIN_IN_WORD && IN_WORD.test(text)) count++;
  return count === MIN_IN_WORD;
}

function spellOut(text: string): ChangedText {
  const changes = createChangeList();
  const spelled = text.replace(/[013457-9@$!|]/g, (sign, at: number) => {
    changes.push(at, 1, at, 1);
    return SPELLED.charAt(LEET.indexOf(sign));
  });
  return { text: spelled, changes: changes.finish() };
}

/** Whether there are several words of one sign. */
function mayBeSpaced({ count, start, end }: WordBuffer, from: number): boolean {
  let single = 0;
  for (let at = from; at < count; at++) {
    if ((end[at] as number) - (start[at] as number) === 1) single++;
  }
  return single >= MIN_SINGLE;
}

function joinLetters(view: TextView, steps: ChangedText[]): TextView {
  const changes = createChangeList();
  const builder = createViewBuilder(view, changes);
  for (const { 0: run, index } of allMatches(view.text, SPACED)) {
    builder.replace(index, index + run.length, run.replace(/[^\p{L}\p{N}]/gu, ''));
  }
  const joined = builder.finish();
  if (joined !== view) steps.push({ text: joined.text, changes: changes.finish() });
  return joined;
}

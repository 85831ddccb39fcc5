import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A set of words that mean the same, as in the database files of WordNet (wndb(5WN)). */
export interface Synset {
  /** Part of speech and place in its file, such as `n00001740`. */
  readonly id: string;
  /** `n`, `v`, `a` (with its satellites) or `r`. */
  readonly pos: string;
  /** As written, with capitals; words of one expression joined by `_`. */
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
  /** The definition and the examples. */
  readonly gloss: string;
}

/** What a synset, or one word of it, has to do with another. */
export interface Pointer {
  /** `@` hypernym, `!` antonym, `+` derived form, `#p` holonym, `&` similar, `\` of or from. */
  readonly symbol: string;
  readonly target: string;
  /** Numbers of the words it is about, from 1; 0 for the whole synset. */
  readonly from: number;
  readonly to: number;
}

/** One meaning of a word. */
export interface Sense {
  readonly synset: Synset;
  /** Part of all uses of the word, in the texts that WordNet counted, that had this meaning, 0 to 1. */
  readonly share: number;
}

/** The synsets by id, and the meanings of each word, in lower case. */
export interface WordNet {
  readonly synsets: ReadonlyMap<string, Synset>;
  readonly senses: ReadonlyMap<string, readonly Sense[]>;
}

const POS_NAMES = ['noun', 'verb', 'adj', 'adv'];
const POS_OF_DIGIT: Readonly<Record<string, string>> = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' };

/** Reads the files of a WordNet database (`dict`). */
export function readWordNet(folder: string): WordNet {
  const synsets = new Map<string, Synset>();
  for (const name of POS_NAMES) {
    for (const line of readFileSync(join(folder, `data.${name}`), 'utf8').split('\n')) {
      if (!/^\d{8} /.test(line)) continue;
      const synset = parseSynset(line);
      synsets.set(synset.id, synset);
    }
  }
  return { synsets, senses: readSenses(join(folder, 'index.sense'), synsets) };
}

function parseSynset(line: string): Synset {
  const bar = line.indexOf(' | ');
  const fields = line.slice(0, bar).split(' ');
  const pos = toPos(fields[2] as string);
  const wordCount = Number.parseInt(fields[3] as string, 16);
  const words = Array.from({ length: wordCount }, (_, at) =>
    (fields[4 + at * 2] as string).replace(/\(\w+\)$/, ''),
  );
  const first = 4 + wordCount * 2;
  const pointers = Array.from({ length: Number(fields[first]) }, (_, at) => {
    const [symbol = '', offset = '', targetPos = '', ends = '0000'] = fields.slice(
      first + 1 + at * 4,
    );
    return {
      symbol,
      target: toPos(targetPos) + offset,
      from: Number.parseInt(ends.slice(0, 2), 16),
      to: Number.parseInt(ends.slice(2), 16),
    };
  });
  return { id: pos + fields[0], pos, words, pointers, gloss: line.slice(bar + 3).trim() };
}

function toPos(type: string): string {
  return type === 's' ? 'a' : type;
}

function readSenses(file: string, synsets: ReadonlyMap<string, Synset>): Map<string, Sense[]> {
  const counted = new Map<string, { synset: Synset; count: number }[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [key = '', offset, number, tags] = line.split(' ');
    const [lemma = '', rest = ''] = key.split('%');
    const synset = synsets.get(`${POS_OF_DIGIT[rest[0] ?? '']}${offset}`);
    if (synset === undefined) continue;
    const held = counted.get(lemma) ?? [];
    counted.set(lemma, held);
    // What was never counted is likelier the first meaning than a later one.
    held.push({ synset, count: Number(tags) + 1 / Number(number) ** 2 });
  }
  const senses = new Map<string, Sense[]>();
  for (const [lemma, held] of counted) {
    const all = held.reduce((sum, { count }) => sum + count, 0);
    senses.set(
      lemma,
      held
        .map(({ synset, count }) => ({ synset, share: count / all }))
        .sort((a, b) => b.share - a.share || (a.synset.id < b.synset.id ? -1 : 1)),
    );
  }
  return senses;
}

import type { RelatedWordTable, WordVectorTable } from '@probity/pipeline/internal';
import { hashWord, isFunctionWord, stemOf } from '@probity/pipeline/internal';
import { distilledVectors } from './distilled-vectors.ts';
import type { KnownWords } from './external-words.ts';
import type { Matrix } from './matrix.ts';
import {
  addRow,
  centerRows,
  dot,
  multiply,
  principalDirections,
  rowOf,
  scaleRows,
  zeros,
} from './matrix.ts';
import { nearestRows } from './nearest-rows.ts';
import { relationTable } from './relation-table.ts';
import type { StemForms } from './stem-table.ts';
import { groupByStem, stemVectors } from './stem-table.ts';
import type { WordCounts } from './word-counts.ts';
import { wordRelations } from './word-relations.ts';
import { WEIGHT_SCALE, wordWeights } from './word-weights.ts';
import type { WordNet } from './wordnet.ts';

/** What the words are made of. */
export interface WordMaterial {
  readonly counts: WordCounts;
  readonly wordnet: WordNet;
  readonly glove: KnownWords;
  /** What the sentence encoder makes of each word of `glove`. */
  readonly taught: Matrix;
  readonly sentences: readonly string[];
  readonly taughtSentences: Matrix;
  readonly seed: number;
}

/** The tables of both files. */
export interface BuiltWords {
  readonly words: WordVectorTable;
  readonly dimensions: number;
  readonly related: RelatedWordTable;
}

const MOST_STEMS = 44_000;
/** Names beyond this rank are left out: they carry no more than an unknown word. */
const MAX_NAME_RANK = 30_000;
/** Words that are compared for like contexts. */
const MAX_NEAR_RANK = 20_000;
const NEIGHBORS = 40;
/** The share of the contexts of words beside the vectors of the sentence encoder. */
const COMPANY_SHARE = 0.7;
const DIMENSIONS = 64;
/** Every so manieth word says in which directions words differ. */
const SAMPLE = 6;
const LIMITS = { leastShare: 0.12, mainShare: 0.3, steps: 5, mostNarrower: 6000 };
const FLOORS = { synonym: 0.25, derived: 0.15, broader: 0.3, near: 0.75, opposite: 0.35 };

/** One word of the tables: known from outside, from our texts, or both. */
interface WordRow {
  readonly hash: number;
  readonly known: number;
  readonly own: number;
}

/** Chooses the words, weighs them, gives them vectors and relations. */
export function buildWords(material: WordMaterial): BuiltWords {
  const { counts, wordnet, glove } = material;
  const common = commonStems(wordnet);
  const known = groupByStem(glove.words, glove.ranks)
    .filter(({ stem, rank }) => rank < MAX_NAME_RANK || common.has(stem))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_STEMS);
  const rows = mergeRows(known, counts);
  const names = Uint8Array.from(rows, ({ known: at, own }) =>
    at >= 0 && own < 0 && !common.has((known[at] as StemForms).stem) ? 1 : 0,
  );
  const traits = knownVectors(known, material);
  const vectors = reduce(traits, material.seed);
  const weights = wordWeights(rows, known, counts);
  const rowOfHash = new Map(rows.map(({ hash, known: at }, row) => [hash, { at, row }]));
  const taught = distilledVectors(
    traits,
    { sentences: material.sentences, vectors: material.taughtSentences },
    (stem) => {
      const found = rowOfHash.get(stem);
      if (found === undefined || found.at < 0) return undefined;
      const nats = (weights[found.row] as number) / WEIGHT_SCALE;
      return { row: found.at, share: nats / (nats + 3) };
    },
    DIMENSIONS,
    material.seed,
  );
  const table = {
    stems: Int32Array.from(rows, ({ hash }) => hash),
    weights,
    names,
    vectors: toBytes(rows, taught),
  };
  const related = relate(rows, known, names, traits, vectors, wordnet);
  return { words: table, dimensions: DIMENSIONS, related };
}

/** The stems of all words that a dictionary has in small letters. */
function commonStems({ synsets }: WordNet): Set<string> {
  const common = new Set<string>();
  for (const { words } of synsets.values()) {
    for (const word of words) if (/^[a-z']+$/.test(word)) common.add(stemOf(word));
  }
  return common;
}

function mergeRows(known: readonly StemForms[], { stems }: WordCounts): WordRow[] {
  const rows = new Map<number, WordRow>();
  known.forEach(({ hash }, at) => {
    if (!rows.has(hash)) rows.set(hash, { hash, known: at, own: -1 });
  });
  stems.forEach((hash, own) => {
    rows.set(hash, { hash, known: rows.get(hash)?.known ?? -1, own });
  });
  return [...rows.values()].sort((a, b) => a.hash - b.hash);
}

/** The vectors of each word, side by side: of its contexts, and of the teacher. */
function knownVectors(known: readonly StemForms[], { glove, taught }: WordMaterial): Matrix {
  const parts = [glove.vectors, taught].map((words) => {
    centerRows(words);
    scaleRows(words, 1);
    return stemVectors(known, glove.ranks, words);
  });
  const [company, meaning] = parts as [Matrix, Matrix];
  const joined = zeros(known.length, company.columns + meaning.columns);
  for (let row = 0; row < known.length; row++) {
    const to = rowOf(joined, row);
    addRow(to, rowOf(company, row), COMPANY_SHARE);
    addRow(to.subarray(company.columns), rowOf(meaning, row), 1);
  }
  scaleRows(joined, 1);
  return joined;
}

function reduce(traits: Matrix, seed: number): Matrix {
  return multiply(traits, principalDirections(traits, DIMENSIONS, seed, SAMPLE));
}

/** Vectors in steps of 1/127 of their largest part; all 0 for words of our texts alone. */
function toBytes(rows: readonly WordRow[], vectors: Matrix): Int8Array {
  const bytes = new Int8Array(rows.length * DIMENSIONS);
  rows.forEach(({ known }, row) => {
    if (known < 0) return;
    const vector = rowOf(vectors, known);
    const largest = vector.reduce((held, value) => Math.max(held, Math.abs(value)), 1e-9);
    vector.forEach((value, at) => {
      bytes[row * DIMENSIONS + at] = Math.round((value / largest) * 127);
    });
  });
  return bytes;
}

function relate(
  rows: readonly WordRow[],
  known: readonly StemForms[],
  names: Uint8Array,
  traits: Matrix,
  vectors: Matrix,
  wordnet: WordNet,
): RelatedWordTable {
  const stems = rows.map(({ known: at }) => known[at]?.stem);
  const rowOfKnown = new Map(rows.map(({ known: at }, row) => [at, row]));
  const wanted = new Set(stems.filter((stem) => stem !== undefined));
  const relations = wordRelations(
    wordnet,
    (word) => {
      const stem = stemOf(word);
      return wanted.has(stem) && !isFunctionWord(hashWord(word)) ? stem : undefined;
    },
    LIMITS,
  );
  const common = known.flatMap(({ rank }, at) =>
    rank < MAX_NEAR_RANK && names[rowOfKnown.get(at) as number] === 0 ? [at] : [],
  );
  const neighbors = nearestRows(vectors, common, NEIGHBORS);
  return relationTable(
    relations,
    {
      stems,
      names,
      likeness: (a, b) =>
        dot(rowOf(traits, (rows[a] as WordRow).known), rowOf(traits, (rows[b] as WordRow).known)),
      neighbors: new Map(
        [...neighbors].map(([at, near]) => [
          rowOfKnown.get(at) as number,
          near.map((other) => rowOfKnown.get(other) as number),
        ]),
      ),
    },
    FLOORS,
  );
}

import { createLexicon, type Entry, KIND } from '../../src/language/lexicon.ts';
import { readWords } from '../../src/language/sentences.ts';
import { emptyWordVectors } from '../../src/language/word-vectors.ts';

/** Words of a collection, the most frequent first, and how often each two stand near each other. */
export interface WordCounts {
  readonly stems: Int32Array;
  /** Number of texts that have the word. */
  readonly texts: Float64Array;
  readonly textCount: number;
  /** Rows of a symmetric sparse matrix: columns and weighted counts. */
  readonly neighbours: readonly ReadonlyMap<number, number>[];
}

interface Counted {
  readonly stem: number;
  texts: number;
  lastText: number;
}

const WINDOW = 5;

/**
 * Counts words and neighbours.
 *
 * @param minTexts words in fewer texts are left out
 * @param maxWords the most frequent ones stay
 */
export function countWords(
  texts: readonly string[],
  minTexts: number,
  maxWords: number,
): WordCounts {
  const sentences: number[][] = [];
  const counted = new Map<number, Counted>();
  const lexicon = createLexicon(emptyWordVectors());
  texts.forEach((text, number) => {
    const words = readWords(lexicon, text);
    for (let at = 0; at + 1 < words.sentences.length; at++) {
      const from = words.sentences[at] as number;
      const sentence = words.entries.slice(from, words.sentences[at + 1]);
      sentences.push(sentence.filter(isCounted).map(({ stem }) => stem));
      for (const { stem } of sentence) countText(counted, stem, number);
    }
  });
  const kept = [...counted.values()]
    .filter((word) => word.texts >= minTexts)
    .sort((a, b) => b.texts - a.texts || a.stem - b.stem)
    .slice(0, maxWords);
  const rows = new Map(kept.map(({ stem }, row) => [stem, row]));
  return {
    stems: Int32Array.from(kept, ({ stem }) => stem),
    texts: Float64Array.from(kept, (word) => word.texts),
    textCount: texts.length,
    neighbours: countNeighbours(sentences, rows),
  };
}

function isCounted({ kinds, word }: Entry): boolean {
  return word.length > 1 && (kinds & KIND.function) === 0;
}

function countText(counted: Map<number, Counted>, stem: number, text: number): void {
  const word = counted.get(stem);
  if (word === undefined) counted.set(stem, { stem, texts: 1, lastText: text });
  else if (word.lastText !== text) {
    word.texts++;
    word.lastText = text;
  }
}

function countNeighbours(
  sentences: readonly number[][],
  rows: ReadonlyMap<number, number>,
): Map<number, number>[] {
  const neighbours = Array.from({ length: rows.size }, () => new Map<number, number>());
  for (const sentence of sentences) {
    const known = sentence.map((stem) => rows.get(stem) ?? -1);
    known.forEach((a, at) => {
      for (let far = 1; far <= WINDOW && at + far < known.length; far++) {
        const b = known[at + far] as number;
        if (a < 0 || b < 0 || a === b) continue;
        addTo(neighbours[a], b, 1 / far);
        addTo(neighbours[b], a, 1 / far);
      }
    });
  }
  return neighbours;
}

function addTo(row: Map<number, number> | undefined, column: number, weight: number): void {
  row?.set(column, (row.get(column) ?? 0) + weight);
}

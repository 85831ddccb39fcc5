import { createLexicon, emptyWordVectors, readWords } from '@probity/pipeline/internal';
/** Words of a collection, the most frequent first. */
export interface WordCounts {
  readonly stems: Int32Array;
  /** Number of texts that have the word. */
  readonly texts: Float64Array;
  readonly textCount: number;
}

interface Counted {
  readonly stem: number;
  texts: number;
  lastText: number;
}

/**
 * Counts in how many texts each word is.
 *
 * @param minTexts words in fewer texts are left out
 * @param maxWords the most frequent ones stay
 */
export function countWords(
  texts: readonly string[],
  minTexts: number,
  maxWords: number,
): WordCounts {
  const counted = new Map<number, Counted>();
  const lexicon = createLexicon(emptyWordVectors());
  texts.forEach((text, number) => {
    const words = readWords(lexicon, text);
    for (const { stem } of words.entries) countText(counted, stem, number);
  });
  const kept = [...counted.values()]
    .filter((word) => word.texts >= minTexts)
    .sort((a, b) => b.texts - a.texts || a.stem - b.stem)
    .slice(0, maxWords);
  return {
    stems: Int32Array.from(kept, ({ stem }) => stem),
    texts: Float64Array.from(kept, (word) => word.texts),
    textCount: texts.length,
  };
}

function countText(counted: Map<number, Counted>, stem: number, text: number): void {
  const word = counted.get(stem);
  if (word === undefined) counted.set(stem, { stem, texts: 1, lastText: text });
  else if (word.lastText !== text) {
    word.texts++;
    word.lastText = text;
  }
}

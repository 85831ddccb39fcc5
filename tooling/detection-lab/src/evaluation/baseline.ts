import type { Row } from '../lib/rows.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * The score to beat for hallucination: the share of the response's word pairs that its context does
 * not have; 0 to 1.
 */
export function bigramNovelty({ text, context = '' }: Row): number {
  const known = new Set(bigrams(context));
  const pairs = bigrams(text);
  return pairs.length === 0 ? 0 : pairs.filter((pair) => !known.has(pair)).length / pairs.length;
}

function bigrams(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** A source of this length goes to the judge whole. */
const MAX_SOURCE = 12_000;
const PASSAGE = 1_000;
const PASSAGES = 10;
/** How far the end of a passage is put off to the next blank. */
const SLACK = 100;
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Gives, for each claim, what of the sources a judge is to see: all of it, or the ten passages of
 * about 1,000 characters that share most with the claim (by inverse document frequency), in the order
 * of the text. One pass over the sources; yields after each passage.
 */
export function* passagesFor(
  claims: readonly string[],
  sources: readonly string[],
): Generator<void, string[]> {
  const length = sources.reduce((sum, { length }) => sum + length, 0);
  if (length <= MAX_SOURCE) return claims.map(() => sources.join('\n\n'));
  const wanted = claims.map((claim) => new Set(wordsOf(claim)));
  const known = new Set<string>(wanted.flatMap((words) => [...words]));
  const counts = new Map<string, number>();
  const places: { readonly text: string; readonly words: readonly string[] }[] = [];
  for (const source of sources) {
    for (const text of cut(source)) {
      const words = [...new Set(wordsOf(text))].filter((word) => known.has(word));
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      places.push({ text, words });
      yield;
    }
  }
  const weight = (word: string) => Math.log((places.length + 1) / (counts.get(word) ?? 1));
  return wanted.map((words) => {
    const scores = places.map((place) =>
      place.words.reduce((sum, word) => sum + (words.has(word) ? weight(word) : 0), 0),
    );
    return best(scores)
      .map((at) => places[at]?.text ?? '')
      .join('\n[...]\n');
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORDS) ?? [];
}

function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PASSAGE);
    const blank = text.slice(to, to + SLACK).search(/\s/);
    if (to < text.length && blank > 0) to += blank;
    yield text.slice(from, to);
    from = to;
  }
}

/** Numbers of the passages with the largest scores, ascending. */
function best(scores: readonly number[]): number[] {
  const order = scores.map((_, at) => at);
  order.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  return order.slice(0, PASSAGES).sort((a, b) => a - b);
}

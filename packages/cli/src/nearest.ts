/** How many letters of ten may be wrong. */
const MOST_WRONG = 0.4;

/** The word that a mistyped text was perhaps meant to be; undefined when none is near. */
export function nearestOf(text: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= word.length * MOST_WRONG)
    .sort((left, right) => left.distance - right.distance);
  return nearest?.word;
}

/** How many letters must be inserted, removed or replaced (Levenshtein). */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (row[at] ?? 0) + Number(letter !== other);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

import { lazyPattern } from './lazy.ts';

const LEAST_PREFIX = 3;
const SIGNS = lazyPattern('[^\\p{L}\\p{N}]', 'gu');

/**
 * The question `did you mean X?` with the name that a mistyped one most likely stands for, with a
 * space before it; empty where none is near. Near is: the same letters and digits in another case or with other
 * separators, a beginning of at least three letters, or at most a third of the letters changed, added,
 * left out or exchanged with the next one.
 */
export function didYouMean(given: unknown, known: readonly string[]): string {
  const name = typeof given === 'string' ? nearest(given, known) : undefined;
  return name === undefined ? '' : ` Did you mean ${name}?`;
}

/** Names that a message lists; of more it lists the likeliest first. */
const MAX_LISTED = 10;

/**
 * The fault of an unknown name: `expected one of a, b; got "c".`, and the question of {@link didYouMean}.
 * @param shown the value as the message shows it
 */
export function expectedOneOf(known: readonly string[], value: unknown, shown: string): string {
  return `expected one of ${listed(known, value)}; got ${shown}.${didYouMean(value, known)}`;
}

function listed(known: readonly string[], value: unknown): string {
  if (known.length <= MAX_LISTED) return known.join(', ');
  const guess = typeof value === 'string' ? nearest(value, known) : undefined;
  const first = [...new Set(guess === undefined ? known : [guess, ...known])].slice(0, MAX_LISTED);
  return `${first.join(', ')} and ${known.length - MAX_LISTED} more`;
}

function nearest(given: string, known: readonly string[]): string | undefined {
  // A name that long is no typing error, and the comparison takes the square of its length.
  if (given.length > 64) return undefined;
  const wanted = letters(given);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = distanceOf(wanted, letters(name));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

function letters(name: string): string {
  return name.toLowerCase().replace(SIGNS(), '');
}

function distanceOf(given: string, name: string): number {
  if (given === name) return 0;
  const isBeginning = given.length >= LEAST_PREFIX && name.startsWith(given);
  const changes = changesBetween(given, name);
  const isNear = changes <= Math.floor(Math.max(given.length, name.length) / 3);
  if (isNear) return changes;
  return isBeginning ? name.length : Number.POSITIVE_INFINITY;
}

/** The optimal string alignment distance. */
function changesBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      }
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

import { SHAPE } from './join-words.ts';
import { KIND } from './lexicon.ts';
import type { Words } from './words.ts';

/** Fewer words are too few to know their language. */
const LEAST_WORDS = 6;
/** So many words of a long text are looked at. */
const LOOKED_AT = 2_000;
/** English has more function words than this, ... */
const FUNCTION_SHARE = 0.2;
/** ... and fewer words, names aside, that the tables do not know. */
const UNKNOWN_SHARE = 0.12;
/** So many unknown words, names among them, are too many where there is hardly a function word. */
const UNLISTED_SHARE = 0.2;
/** The first letter behind the Latin ones. */
const BEYOND_LATIN = 0x0250;
const OTHER_SCRIPT_SHARE = 0.3;

/**
 * Whether the tables and weights of the comparing stages cover the words [from, to): they cover
 * English. Text in another script, or of few function words and many unknown ones, is not covered. Looks at
 * 2,000 words at most.
 *
 * @param few what to say of less than six words in Latin letters, which are too few to know their language
 */
export function isCovered(words: Words, from = 0, to = words.count, few = true): boolean {
  const end = Math.min(to, from + LOOKED_AT);
  let count = 0;
  let functions = 0;
  let unknown = 0;
  let unlisted = 0;
  let otherScript = 0;
  for (let at = from; at < end; at++) {
    const kinds = words.kinds[at] as number;
    if ((kinds & KIND.number) !== 0) continue;
    count++;
    if ((kinds & KIND.function) !== 0) functions++;
    else if (words.entries[at]?.row === -1) {
      unlisted++;
      if (((words.shape[at] as number) & SHAPE.capital) === 0) unknown++;
      if ((words.entries[at]?.word.charCodeAt(0) ?? 0) >= BEYOND_LATIN) otherScript++;
    }
  }
  if (otherScript > OTHER_SCRIPT_SHARE * count) return false;
  if (count < LEAST_WORDS) return few;
  if (functions >= FUNCTION_SHARE * count) return true;
  const hasSome = functions >= (FUNCTION_SHARE / 2) * count;
  return unknown < UNKNOWN_SHARE * count && (hasSome || unlisted < UNLISTED_SHARE * count);
}

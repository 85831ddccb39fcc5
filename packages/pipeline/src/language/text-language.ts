import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import functionWords from './data/function-words.json' with { type: 'json' };

/** So much of a text is looked at. */
const LOOKED_AT = 400;
/** A language needs more than this many times the unshared words of each other language. */
const NEIGHBOUR = 2;
const WORD = /[a-z\u00df-\u024f]+/g;

/** The languages of each function word, as bits; the tag of each bit. */
interface Marks {
  readonly bits: ReadonlyMap<string, number>;
  readonly tags: readonly string[];
}

let marks: Marks | undefined;

/** Reads the function words of all languages, to tell the compared languages from their neighbors. */
function readMarks(): Marks {
  const bits = new Map<string, number>();
  const tags: string[] = [];
  const add = (tag: string, words: readonly string[]) => {
    const bit = 1 << tags.push(tag);
    for (const word of words) bits.set(word, (bits.get(word) ?? 0) | bit);
  };
  add('en', functionWords);
  for (const language of LANGUAGES) {
    const words = functionWordsOf(language);
    if (language.tag !== 'en' && words !== undefined && tags.length < 31) add(language.tag, words);
  }
  return { bits, tags };
}

function functionWordsOf(language: LanguageData): readonly string[] | undefined {
  const { comparison, commonWords, injection } = language;
  return comparison?.functionWords ?? commonWords ?? injection?.functionWords;
}

/** Returns the language of most function words of a text; undefined if it has none, or a similar number of another language. */
export function languageOf(text: string): string | undefined {
  marks ??= readMarks();
  const seen = new Map<number, number>();
  for (const [word] of text.slice(0, LOOKED_AT).toLowerCase().matchAll(WORD)) {
    const bits = marks.bits.get(word);
    if (bits !== undefined) seen.set(bits, (seen.get(bits) ?? 0) + 1);
  }
  const counts = marks.tags.map((_, at) => {
    let count = 0;
    for (const [bits, times] of seen) if ((bits & (2 << at)) !== 0) count += times;
    return count;
  });
  const best = counts.indexOf(Math.max(...counts));
  if ((counts[best] ?? 0) === 0) return undefined;
  // Neighbors share words: the unshared words decide.
  for (let at = 0; at < counts.length; at++) {
    if (at === best) continue;
    const [own, other] = [aloneIn(seen, best, at), aloneIn(seen, at, best)];
    if (NEIGHBOUR * other >= own) return undefined;
  }
  return marks.tags[best];
}

function aloneIn(seen: ReadonlyMap<number, number>, own: number, other: number): number {
  let count = 0;
  for (const [bits, times] of seen) {
    if ((bits & (2 << own)) !== 0 && (bits & (2 << other)) === 0) count += times;
  }
  return count;
}

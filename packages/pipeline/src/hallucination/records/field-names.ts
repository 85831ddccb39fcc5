import type { Entry, Lexicon } from '../../language/lexicon.ts';
import { KIND } from '../../language/lexicon.ts';
import { readWords } from '../../language/sentences.ts';

/** Names whose values several records have alike. */
const STATE_NAME =
  /\b(?:status|state|priority|level|phase|stage|result|severity|currency|unit|date|time|at|to|from)\b/;
const IDENTITY_NAME =
  /\b(?:names?|title|id|key|subject|summary|label|item|type|kind|symbol|number|text|model|product|merchant)\b/;
/** Behind it stands the member of an object that is the value of the name before it. */
const WITHIN = '/';

/** The name of a member or a column. */
export interface FieldName {
  /** Its words in lower case, and what is known of each. */
  readonly words: string;
  readonly entries: readonly Entry[];
  /** How many words of substance it has, without the names of what it is in. */
  readonly size: number;
  /** Whether its values tell records apart; undefined where the place of a value says so. */
  readonly identifies: boolean | undefined;
  /** The truth values of records, by record: 1, 0, or null where the value is empty. */
  readonly truths: Map<number, number | null>;
  /** Records that have another value of this name. */
  readonly filled: Set<number>;
}

/** Reads a name such as `temperature_c`, `isLocked` or `address/city`. */
export function readFieldName(lexicon: Lexicon, name: string): FieldName {
  const words = nameWords(name);
  const { entries } = readWords(lexicon, words);
  const last = name.lastIndexOf(WITHIN) + 1;
  const own = last === 0 ? entries : readWords(lexicon, nameWords(name.slice(last))).entries;
  const isState = STATE_NAME.test(words);
  return {
    words,
    entries,
    size: own.filter((entry) => !isGrammar(entry)).length,
    identifies: isState ? false : IDENTITY_NAME.test(words) || undefined,
    truths: new Map(),
    filled: new Set(),
  };
}

function nameWords(name: string): string {
  return name
    .replace(/[_\-./]+/g, ' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase();
}

/** The name of a member of an object that is itself the value of a name. */
export function nameWithin(path: string, name: string): string {
  return path === '' || path.length > LONGEST_PATH ? name : `${path}${WITHIN}${name}`;
}

/** Of deeper values only the last names count. */
const LONGEST_PATH = 64;

/** Whether a word says nothing by itself; "up" and "off" do, which have opposites. */
export function isGrammar({ kinds, excludes, word }: Entry): boolean {
  if (excludes && word.length > 2) return false;
  return (kinds & (KIND.function | KIND.negation | KIND.quantifier)) !== 0 || word === 'now';
}

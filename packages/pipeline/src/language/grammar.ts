import type { ComparisonWords } from '../languages/language-data.ts';
import { anyFragment, anyOf } from '../languages/word-list.ts';
import { hashWord } from '../tokens/word-hash.ts';
import wordKinds from './data/word-kinds.json' with { type: 'json' };
import { isFunctionWord } from './function-words.ts';
import { stemOf } from './stem.ts';
import { OPPOSITES, SYNONYMS, TOPICS } from './word-groups.ts';

type Groups = readonly (readonly string[])[];

/** Words of one language by their use. */
interface KindLists {
  readonly negations: readonly string[];
  readonly negativeVerbs: readonly string[];
  readonly quantifiers: readonly string[];
  readonly modals: readonly string[];
  readonly calendar: readonly string[];
  readonly units: readonly string[];
  readonly affirmations: readonly string[];
  readonly refusals: readonly string[];
  readonly frames: readonly string[];
}

/** The grammar of one language; a lexicon adds learned weights and vectors. */
export interface Grammar {
  /** BCP 47 tag of the language. */
  readonly tag: string;
  readonly isEnglish: boolean;
  /** Between tens and ones: "and". */
  readonly and: string;
  /** Whether common nouns have capitals as well, so that these tell no names. */
  readonly hasCapitalNouns: boolean;
  readonly lists: KindLists;
  readonly synonyms: Groups;
  readonly topics: Groups;
  readonly opposites: readonly Groups[];
  /** Words of other languages than English that say that a number is computed. */
  readonly sums?: RegExp;
  isFunction(word: string): boolean;
  /** Whether a negation is joined to a word, as in "can't". */
  isNegated(word: string): boolean;
  /** A word without the letters joined to it by an apostrophe; English for months, days and units of time. */
  bare(word: string): string;
  stem(word: string): string;
  /** The value of a number in digits or words; NaN for other words. */
  number(word: string): number;
}

const CLITIC = /'(?:s|re|ve|ll|d|m)?$/;
const SPELLED = new Map(Object.entries(wordKinds.numberWords));
const DIGITS = /^(\d[\d,.:]*)(?:st|nd|rd|th|s|k|m|bn|am|pm|%)?$/;

/** The grammar of English. */
export const ENGLISH: Grammar = {
  tag: 'en',
  isEnglish: true,
  and: 'and',
  hasCapitalNouns: false,
  lists: wordKinds,
  synonyms: SYNONYMS,
  topics: TOPICS,
  opposites: OPPOSITES,
  isFunction: (word) => isFunctionWord(hashWord(word)),
  isNegated: (word) => word.endsWith("n't") || word === 'cannot',
  bare: (word) => (ENGLISH.isNegated(word) ? withoutNot(word) : word.replace(CLITIC, '')),
  stem: stemOf,
  number(word) {
    const digits = DIGITS.exec(word)?.[1];
    return (
      SPELLED.get(word) ?? (digits === undefined ? Number.NaN : toValue(digits, /,(?=\d{3})/g))
    );
  },
};

/** The verb of a negated form such as "can't". */
function withoutNot(text: string): string {
  const short = text.slice(0, -3);
  return SHORTENED.get(short) ?? short;
}

// A map: to look a word up as a member of an object makes the engine keep the word.
const SHORTENED = new Map([
  ['ca', 'can'],
  ['wo', 'will'],
  ['sha', 'shall'],
]);

const CLOCK = /^(\d{1,2})h(\d{2})$/;
const FOREIGN_DIGITS = /^(\d[\d,.:]*)(?:er|te|ten|h|e|ème|º|%)?$/;
/** Words of fewer letters keep their ending. */
const SHORTEST_STEM = 4;

/** The grammar of a language whose file has words to compare by. */
export function grammarOf(tag: string, words: ComparisonWords): Grammar {
  const functions = new Set(words.functionWords);
  const english = new Map(Object.entries(words.english));
  const spelled = new Map(Object.entries(words.numberWords));
  const endings = new RegExp(words.endings);
  const negated = new RegExp(words.negatedForms ?? '(?!)');
  const elisions = new RegExp(`^${anyFragment(words.elisions ?? [])}`);
  const { calendar, units } = wordKinds;
  return {
    tag,
    isEnglish: false,
    and: words.and,
    hasCapitalNouns: words.capitalNouns === true,
    lists: { ...words, calendar, units: [...units, ...words.units] },
    synonyms: words.synonyms,
    topics: TOPICS.filter((group) => group.every((word) => calendar.includes(word))),
    opposites: words.opposites,
    sums: new RegExp(`(?<!\\p{L})(?:${anyOf(words.sums)})(?!\\p{L})`, 'iu'),
    isFunction: (word) => functions.has(word),
    isNegated: (word) => negated.test(word),
    bare(word) {
      const rest = word.replace(elisions, '');
      return english.get(rest) ?? rest;
    },
    stem(word) {
      const rest = word.replace(endings, '');
      return rest.length < SHORTEST_STEM
        ? word.slice(0, Math.max(SHORTEST_STEM, rest.length))
        : rest;
    },
    number(word) {
      const time = CLOCK.exec(word);
      if (time !== null) return Number(`${time[1]}.${time[2]}`);
      const digits = FOREIGN_DIGITS.exec(word)?.[1];
      if (digits !== undefined) return toValue(digits, /\.(?=\d{3}(?:\D|$))/g);
      return spelled.get(word) ?? compoundOf(word, words.and, spelled);
    },
  };
}

/** The value of a number in one word, such as "fünfundzwanzig". */
function compoundOf(word: string, and: string, spelled: ReadonlyMap<string, number>): number {
  const at = word.indexOf(and, 2);
  if (at < 0) return Number.NaN;
  const ones = spelled.get(word.slice(0, at)) ?? Number.NaN;
  const tens = spelled.get(word.slice(at + and.length)) ?? Number.NaN;
  return ones < 10 && tens % 10 === 0 ? tens + ones : Number.NaN;
}

/** @param grouping the signs between thousands */
function toValue(digits: string, grouping: RegExp): number {
  const plain = digits.includes(':') ? digits.replaceAll(':', '.') : digits.replace(grouping, '');
  return Number(plain.replaceAll(',', '.').split('.').slice(0, 2).join('.'));
}

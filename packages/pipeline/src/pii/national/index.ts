import type { LanguageData } from '../../languages/language-data.ts';
import { LANGUAGES } from '../../languages/languages.generated.ts';
import { wordsIn } from '../../languages/word-list.ts';
import { allMatches } from '../../text/matches.ts';
import type { Tokens } from '../../tokens/tokens.ts';
import type { Candidate } from '../candidate.ts';
import { createContextTest } from '../pattern-detector.ts';
import { EASTERN_EUROPE } from './eastern-europe.ts';
import type { NationalId } from './national-id.ts';
import type { NationalIdType } from './national-types.ts';
import { OTHER_COUNTRIES } from './other-countries.ts';
import { WESTERN_EUROPE } from './western-europe.ts';

export type { NationalId } from './national-id.ts';
export { NATIONAL_ID_TYPES, type NationalIdType } from './national-types.ts';

/** The optional types of `pii_scanner`, one row each. */
export const NATIONAL_IDS: readonly NationalId[] = [
  ...WESTERN_EUROPE,
  ...EASTERN_EUROPE,
  ...OTHER_COUNTRIES,
];

/** Finds the values of one optional type in a normalized text, in linear time; `words` has the tokens of the text. */
export type NationalIdDetector = (
  text: string,
  words: { readonly tokens: () => Tokens },
) => Candidate[];

/** Confidence with a word that names the type near, and without one. */
const NAMED = 0.97;
const ALONE = 0.8;
const SEPARATORS = /[ ./-]/g;
/** The signs of a value that mean something stay: `+` and `-` stand for a century. */
const KEEPS_SIGNS: ReadonlySet<NationalIdType> = new Set(['fi_hetu']);

/** Makes the detectors of some types, with the words of some languages near their values. */
export function createNationalDetectors(
  types: ReadonlySet<string>,
  languages: readonly LanguageData[] = LANGUAGES,
): ReadonlyMap<NationalIdType, NationalIdDetector> {
  const rows = NATIONAL_IDS.filter(({ type }) => types.has(type));
  return new Map(
    rows.map((row) => {
      const words = wordsIn(languages, ({ pii }) => pii?.cues?.[row.type]);
      return [row.type, createDetector(row, words)];
    }),
  );
}

function createDetector(row: NationalId, words: readonly string[]): NationalIdDetector {
  const { type, country, pattern, validate, alone, fit } = row;
  const isNamed = createContextTest(words);
  return (text, { tokens }) => {
    const found: Candidate[] = [];
    for (const { 0: match, index: start } of allMatches(text, pattern)) {
      const raw = fit === undefined ? match : fit(match);
      const value = KEEPS_SIGNS.has(type) ? raw : raw.replace(SEPARATORS, '');
      if (raw === '' || !validate(value.toUpperCase())) continue;
      const end = start + raw.length;
      const named = isNamed(tokens(), start, end);
      if (!named && !alone?.test(raw)) continue;
      const reason = `form and check digits of ${type} (${country})${named ? ', a word for it near' : ''}`;
      found.push({ type, start, end, score: named ? NAMED : ALONE, reason });
    }
    return found;
  };
}

import type { LanguageData } from '../languages/language-data.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';

/** What may stand between a label and its number: `no. is`, `number: "`, `lautet`, `号码是`. */
export const BETWEEN_LABEL_AND_NUMBER =
  /^(?:[ ._-]{1,2}(?:number|no|nr|id|code|is|was)){0,2}[ .:#="'>]{0,4}$/i;

/** The same with the words of languages and with more signs. */
export function afterLabel(languages: readonly LanguageData[]): RegExp {
  const words = wordsIn(languages, ({ pii }) => pii?.labelWords);
  return new RegExp(
    `^(?:[ ._/-]{0,2}(?:num|no|nr|nro|n|id|${anyOf(words)})(?![a-zé])){0,4}[^\\p{L}\\d\\n]{0,6}` +
      '(?:[\\u0370-\\u1fff\\u2e80-\\ud7af]{1,5}[^\\p{L}\\d\\n]{0,3})?$',
    'iu',
  );
}

/** What may stand between a label and its value where the value is on the next line. */
export const NEXT_LINE =
  /^(?: ?(?:number|no|nr|num|details|information))?[ \t]{0,4}[-:=#.*_|>"]{0,4}\s{1,8}[-*>|"' ]{0,4}(?:(?:id |document )?(?:number|no|nr|num|is)[ .:#]{1,3})?$/i;
export const LINE_END = /[\n\r\u2028\u2029]/;

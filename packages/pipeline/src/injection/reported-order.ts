import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyFragment, anyOf, wordsIn } from '../languages/word-list.ts';
import type { TextRange } from '../types.ts';

const REACH = 200;
/** The last letter of Cyrillic; scripts behind it have no words that end at a blank. */
const NOT_SPACED = /^[^\0-\u052f]/;
const NOT_LATIN = /^[^\0-\u024f]/;

/** How orders are reported and asked about. */
export interface ReportForms {
  /** "if the user asks you to …", right before an order. */
  readonly reported: RegExp;
  /** A sentence that opens like a question. */
  readonly question: RegExp;
  /** Words that turn a question to the model itself, or to what it was given. */
  readonly address: RegExp;
}

/** Joins the forms of languages; the verbs of reporting are English. */
export function reportForms(languages: readonly LanguageData[]): ReportForms {
  const conditionals = wordsIn(languages, ({ injection }) => injection?.conditionals);
  const openings = wordsIn(languages, ({ injection }) => injection?.questionOpenings);
  const addresses = wordsIn(languages, ({ injection }) => injection?.modelAddresses);
  const [openingWords, openingSigns] = parted(openings, NOT_SPACED);
  const [addressWords, addressSigns] = parted(addresses, NOT_LATIN);
  return {
    reported: new RegExp(
      `\\b(?:${anyOf(conditionals)})\\b(?:(?!\\bi\\b)[^.!?\\n]){1,60}` +
        '\\b(?:ask|tell|instruct|order|want|tr[iy]|urge|beg|convince|trick|persuade)(?:s|es|ed)?\\b' +
        '(?: (?:you|it|him|her|them|the \\w{1,16}))?(?: to)?(?: \\w{1,10})?\\s?$',
    ),
    question: new RegExp(
      `^\\W{0,4}(?:(?:hi|hello|hey)\\W{1,3})?(?:${openingWords})(?![\\p{L}\\p{N}])|${openingSigns}`,
      'u',
    ),
    address: new RegExp(`\\b(?:${addressWords})\\b|${addressSigns}`, 'u'),
  };
}

/** The fragments without and with a first sign of `other` scripts, each as alternatives. */
function parted(fragments: readonly string[], other: RegExp): [words: string, signs: string] {
  const isOther = (fragment: string) => other.test(fragment);
  return [
    anyFragment(fragments.filter((fragment) => !isOther(fragment))),
    anyFragment(fragments.filter(isOther)),
  ];
}

const KNOWN_FORMS = reportForms(LANGUAGES);

/** Whether what stands at `place` is reported as the order of another: "if a user asks you to …". */
export function isReportedOrder(
  text: string,
  { start }: TextRange,
  { reported } = KNOWN_FORMS,
): boolean {
  return reported.test(text.slice(Math.max(0, start - REACH), start));
}

/**
 * Whether `place` lies in a question about how a thing behaves: it opens like one, ends with a
 * question mark, and addresses no model. A linter that ignores the rule above is no attack.
 */
export function isQuestionAboutThings(
  text: string,
  { start, end }: TextRange,
  { question, address } = KNOWN_FORMS,
): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  const close = /[?？]|[.!](?=\s|$)|[。！\n]/.exec(after);
  if (close === null || !/[?？]/.test(close[0])) return false;
  const opened = before.split(/[.!?:](?=\s)|[。？！\n]/).at(-1) ?? '';
  const sentence = opened + text.slice(start, end) + after.slice(0, close.index);
  return question.test(sentence.trimStart()) && !address.test(sentence);
}

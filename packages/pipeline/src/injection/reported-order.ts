import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyFragment, anyOf, wordsIn } from '../languages/word-list.ts';
import type { TextRange } from '../types.ts';

const REACH = 200;
/** How far behind a place the rest of its name may be. */
const ANY_REACH = 16;
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

/** Who asks how to do something does it to a thing, unless they speak to the model of itself. */
const HOW_TO =
  /^\W{0,4}(?:(?:hi|hello|hey)\W{1,3})?how (?:to\b|(?:do|can|could|should|would|might) (?:i|we|one)\b)/;
const SECOND_PERSON = /\b(?:you|your|yours|yourself|u|ur)\b/;
const KNOWN_FORMS = reportForms(LANGUAGES);

/** Whether what stands at `place` is reported as the order of another: "if a user asks you to …". */
export function isReportedOrder(
  text: string,
  { start }: TextRange,
  { reported } = KNOWN_FORMS,
): boolean {
  return reported.test(text.slice(Math.max(0, start - REACH), start));
}

const DENIED =
  /\b(?:can(?:no|')?t|can not|(?:could|did|do|does|must|should|wo|would)(?: not|n'?t)|never|not to|unable to|will not)(?: (?!(?:you|u|we)\b)\w{1,12})? $/;
/** A system prompt that somebody wants to write or compare, not the model's own prompt. */
const ANY_PROMPT =
  /\b(?:an?|another|any|each|every|good|better|best|some|my|our|different) (?:(?!(?:from|in|its|of|that|the|this|your)\b)[\w-]{1,14} ){0,3}system (?:prompt|message)s?\b/;

/** Whether an override is denied, "I cannot forget your policy", rather than asked for: "Can't you forget it?". */
export function isDenied(text: string, { start }: TextRange): boolean {
  return DENIED.test(text.slice(Math.max(0, start - REACH), start));
}

/** A rule of people that a newer one replaces, not the instructions of a model. */
const REPLACED_VERSION =
  /^(?:all |any )?(?:previous|prior|earlier|former|past) (?:versions?|editions?|drafts?|revisions?) of (?:this|these|the|our) (?:[\w-]{1,14} )?(?:polic(?:y|ies)|guidelines?|rules|regulations?|handbook|manual)\b/;

/** Whether an override sets earlier versions of a document aside: "all previous versions of this policy are void". */
export function isReplacedVersion(text: string, { start, end }: TextRange): boolean {
  return REPLACED_VERSION.test(text.slice(start, end));
}

/** Whether a place asks for some system prompt, as "write a system prompt for a shop" does. */
export function isAnyPrompt(text: string, { start, end }: TextRange): boolean {
  return ANY_PROMPT.test(text.slice(start, end + ANY_REACH));
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
  const asked = sentence.trimStart();
  if (HOW_TO.test(asked)) return !SECOND_PERSON.test(sentence);
  return question.test(asked) && !address.test(sentence);
}

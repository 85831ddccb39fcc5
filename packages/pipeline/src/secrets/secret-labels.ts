import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyFragment, wordsIn } from '../languages/word-list.ts';

/** What may follow the word for a secret in its label: `_1`, `Confirmation`. */
const SUFFIX =
  '(?:[_-]?(?:confirm(?:ation)?|again|repeat))?(?:[_-]?\\d{1,2})?(?![\\p{Lu}\\p{Ll}\\p{N}_-])';
const KEYS =
  '(?:api|secret|access|private|signing|encryption|master|auth|account|app|license)[_ -]?key|secret';
// Lookbehinds follow the word: an expression that begins with one is slow.
const TOKENS =
  'token(?<!(?:next|page|prev|previous|continuation|sync|design|csrf|xsrf)[_-]?token)|authorization|cookie|sid(?<!\\p{L}sid)|(?:j|php)?sess(?:ion)?id|session(?<=[_-]session)';
/** Words that name a password in programs, and much else in sentences. */
const SHORT = '(?:pwd|pw|pass)(?<!\\p{L}(?:pwd|pw|pass))';

/** The words that name a secret, and those that introduce it in a sentence. */
export interface SecretLabels {
  /** The words for a secret; the group that matched names the type: password, short, key or token. Global. */
  readonly label: RegExp;
  /** The words between the word for a password and the password in a sentence. Sticky. */
  readonly introduction: RegExp;
  /** Whether a value has a word for a password, as the names and translations of the word have. */
  readonly password: RegExp;
}

/** Compiles the words of all languages. */
export function compileLabels(languages: readonly LanguageData[] = LANGUAGES): SecretLabels {
  const passwords = anyFragment(wordsIn(languages, ({ secrets }) => secrets?.passwordWords));
  const verbs = anyFragment(wordsIn(languages, ({ secrets }) => secrets?.introductions));
  const relations = anyFragment(wordsIn(languages, ({ secrets }) => secrets?.relations));
  const words = `(?<password>${passwords})|(?<short>${SHORT})|(?<key>${KEYS})|(?<token>${TOKENS})`;
  const relation = `(?:\\s{1,4}(?:${relations})\\s[^\\n.:;=?!"]{1,40}?)?`;
  return {
    label: new RegExp(`(?:${words})${SUFFIX}`, 'giu'),
    introduction: new RegExp(
      `["'\`*_]{0,3}${relation}\\s{0,4}(?:(?<![\\p{Lu}\\p{Ll}])|(?=['’]))(?:${verbs})(?=[\\s:"'\`*\\p{Lo}]|\\b)`,
      'iuy',
    ),
    password: new RegExp(passwords, 'iu'),
  };
}

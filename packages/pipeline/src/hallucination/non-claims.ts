import type { LanguageData, NonClaimWords, WordList } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyFragment, wordsIn } from '../languages/word-list.ts';
import type { TextRange } from '../types.ts';
import type { NonClaimForm, NonClaimKind } from './non-claim-form.ts';

/** What may follow a greeting: words that it is usual with, or a name. */
const AFTER_GREETING =
  '(?: (?:there|again|back|everyone|all|team|to you|sir|madam|or|mr|ms|mrs|[a-z]{2,16})){0,4}';
/** What may follow an apology, in English. */
const AFTER_APOLOGY =
  "(?: to hear(?: (?:that|this|it|about [a-z ]{1,40}))?| about (?:that|this|it|the [a-z ]{1,30})| for (?:the|any|that|this|your)(?: [a-z]{2,14}){0,5}| that i [a-z' ]{1,60}| that you (?:had|have|feel|are) [a-z' ]{1,60})?";

/** Makes the forms of sentences that are no claims in some languages. */
export function nonClaimForms(languages: readonly LanguageData[]): readonly NonClaimForm[] {
  const listOf = (key: Exclude<keyof NonClaimWords, 'forms' | 'parts'>) =>
    anyFragment(
      wordsIn(languages, ({ hallucination }): WordList | undefined => hallucination?.[key]),
    );
  const form = (kind: NonClaimKind, source: string): NonClaimForm => {
    return { kind, pattern: new RegExp(`^${source}$`) };
  };
  return [
    form('greeting', `(?:${listOf('greetings')})${AFTER_GREETING}`),
    form('thanks', `(?:${listOf('thanks')})(?: (?:${listOf('thanksEndings')})){0,9}`),
    form('thanks', `(?:${listOf('thanksReplies')})`),
    form('agreement', `(?:${listOf('agreements')})`),
    form('closing', `(?:${listOf('closings')})`),
    form('apology', `(?:${listOf('apologies')})${AFTER_APOLOGY}`),
    ...languages.flatMap(({ hallucination = {} }) => ownForms(hallucination)),
  ];
}

/** The forms of one language; each name of a part is replaced by the part. */
function ownForms({ forms = [], parts = {} }: NonClaimWords): NonClaimForm[] {
  return forms.map(({ kind, pattern, digits = false }) => {
    const source = pattern.replace(/<(\w+)>/g, (_, name: string) => parts[name] ?? '');
    return { kind: kind as NonClaimKind, pattern: new RegExp(source), digits };
  });
}

const KNOWN_FORMS = nonClaimForms(LANGUAGES);

/** Longer sentences say something. */
const LONGEST = 220;
/** As many blanks as no heading has. */
const LONG_HEADING = /(?: [^ ]*){8}/;
/** So much of the line is looked at on each side. */
const SEEN = 80;
const MARKER = /^[([]?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)\]]?$/i;
const MARKUP = /^[\s*_#>•–—"'“”«»()[\]-]{1,12}|[\s*_"'“”«»()[\]]{1,12}$/g;
const DIGIT = /\d/;

/**
 * Which kind of non-claim stands at a place of a text: a list marker, a heading, a question, or a
 * sentence of one of the `forms`; undefined for what a source can entail or contradict.
 *
 * @param joined whether the sentence is an answer that is read with the question before it, to which "of
 *   course" says a good deal
 */
export function nonClaimAt(
  text: string,
  { start, end }: TextRange,
  joined = false,
  forms = KNOWN_FORMS,
): NonClaimKind | undefined {
  if (end - start > LONGEST) return undefined;
  const sentence = text.slice(start, end);
  const lead = text.slice(Math.max(0, start - SEEN), start);
  const before = lead.slice(lead.lastIndexOf('\n') + 1);
  const after = restOfLine(text, end);
  if (MARKER.test(sentence) && /^[\s*_([]*$/.test(before) && /^[.):\]]/.test(after))
    return 'marker';
  const plain = sentence.toLowerCase().replaceAll('’', "'").replace(MARKUP, '');
  if (!joined && /^[\s"'”*_)]{0,4}\?/.test(after)) return 'question';
  if (isHeading(plain, before, after)) return 'heading';
  const hasDigits = DIGIT.test(plain);
  for (const { kind, pattern, digits } of forms) {
    if ((hasDigits && !digits) || (joined && kind === 'agreement')) continue;
    if (pattern.test(plain)) return kind;
  }
  return undefined;
}

function restOfLine(text: string, end: number): string {
  const rest = text.slice(end, end + SEEN);
  const close = rest.indexOf('\n');
  return close < 0 ? rest : rest.slice(0, close);
}

/** A line of few words that ends with a colon, stands in bold letters, or behind the sign of a heading. */
function isHeading(plain: string, before: string, after: string): boolean {
  if (DIGIT.test(plain) || LONG_HEADING.test(plain)) return false;
  if (/^\s{0,3}#{1,6}\s/.test(before)) return true;
  const isBold = /(?:\*\*|__)\s*$/.test(before) && /^:?\s*(?:\*\*|__):?\s*$/.test(after);
  return isBold || (/^[\s*_>#-]*$/.test(before) && /^\s*(?:\*\*|__)?:(?:\*\*|__)?\s*$/.test(after));
}

import type { DataFile } from '../lib/data-file.ts';
import { DataFileError, readDataFile } from '../lib/data-file.ts';

/** The words of one class. */
interface WordClass {
  /** Given in the singular; the plural belongs to the class as well. */
  readonly nouns?: readonly string[];
  /** Given in the base form; the regular past is of the class's past form. */
  readonly verbs?: readonly string[];
  /** As they are. */
  readonly words?: readonly string[];
  /** Irregular past forms. */
  readonly past?: readonly string[];
}

/** Words by class. */
export type WordClasses = Readonly<Record<string, WordClass>>;

const KINDS: readonly string[] = ['nouns', 'verbs', 'words', 'past'] satisfies (keyof WordClass)[];

function readClass(entry: DataFile): WordClass {
  return Object.fromEntries(
    entry.fields.map((kind) => {
      if (!KINDS.includes(kind)) throw new DataFileError(`no kind of words: ${kind}`);
      return [kind, entry.list(kind)];
    }),
  );
}

function readClasses(name: string): WordClasses {
  return readDataFile(`toxicity/${name}`).named('classes', readClass);
}

/** Words by what they do in a hostile text: insults, slurs, violence, weapons, threats. */
export const HOSTILE_WORDS: WordClasses = readClasses('words-hostile');

/** Words about sex, the body, self-harm and despair. */
export const BODY_WORDS: WordClasses = readClasses('words-body');

/** Words about who is meant and how it is said: people, groups, frames, requests, grammar. */
export const CONTEXT_WORDS: WordClasses = readClasses('words-context');

/**
 * Words of German, French, Spanish, Italian, Portuguese and Dutch by the same classes: an English row that
 * teaches "hate" next to a group teaches these words too. Without accents, as the folded text has them.
 */
export const OTHER_LANGUAGES: Readonly<Record<string, readonly string[]>> = readDataFile(
  'toxicity/words-languages',
).named('classes', (entry) => entry.fields.flatMap((language) => entry.text(language).split(' ')));

/**
 * The class of each word form: a number from 1 on. The past forms of a class's verbs have a number of
 * their own, since what is reported has happened and what is threatened has not. A form that several
 * classes have belongs to the first; one of `more`, forms by class, only where none of `classes` has it.
 */
export function classForms(
  classes: WordClasses,
  more: Readonly<Record<string, readonly string[]>> = {},
): Map<string, number> {
  const forms = new Map<string, number>();
  const put = (form: string, number: number): void => {
    if (!forms.has(form)) forms.set(form, number);
  };
  Object.values(classes).forEach((given, at) => {
    const number = 2 * at + 1;
    for (const word of given.words ?? []) put(word, number);
    for (const noun of given.nouns ?? [])
      for (const form of [noun, plural(noun)]) put(form, number);
    for (const verb of given.verbs ?? []) {
      for (const form of [verb, plural(verb), participle(verb)]) put(form, number);
    }
    for (const past of given.past ?? []) put(past, number + 1);
    for (const verb of given.verbs ?? []) put(pastForm(verb), number + 1);
  });
  for (const [name, words] of Object.entries(more)) {
    if (classes[name] === undefined) throw new DataFileError(`no class of words: ${name}`);
    for (const word of words) put(word, classNumber(classes, name));
  }
  return forms;
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function participle(verb: string): string {
  if (/[^eyo]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return `${doubled(verb)}ing`;
}

function pastForm(verb: string): string {
  if (/e$/.test(verb)) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return `${doubled(verb)}ed`;
}

/** A short verb with one vowel before its last consonant doubles that: stab, stabbing. */
function doubled(verb: string): string {
  return /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) ? verb + verb.at(-1) : verb;
}

/** The words of some classes as they are listed. */
export function wordsOf(classes: WordClasses, names: readonly string[]): string[] {
  return names.flatMap((name) => [
    ...(classes[name]?.nouns ?? []),
    ...(classes[name]?.words ?? []),
  ]);
}

/** The number that `classForms` gives a class. */
export function classNumber(classes: WordClasses, name: string): number {
  return 2 * Object.keys(classes).indexOf(name) + 1;
}

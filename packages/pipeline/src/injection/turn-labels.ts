import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';

/** Scripts without blanks between words have none after a colon either. */
const NOT_SPACED = /^[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/;

/**
 * The label of a turn at the beginning of a line of a transcript, in folded text: what comes before it,
 * and itself.
 */
export function turnLabels(languages: readonly LanguageData[]): RegExp {
  const labels = wordsIn(languages, ({ injection }) => injection?.turnLabels);
  const spaced = anyOf(labels.filter((label) => !NOT_SPACED.test(label)));
  const others = anyOf(labels.filter((label) => NOT_SPACED.test(label)));
  const mark = '[*_]{0,2}:[*_]{0,2}';
  return new RegExp(
    `((?:^|\\n)[ \\t]{0,4}[*_]{0,2})((?:${spaced})(?=${mark}\\s)|(?:${others})(?=${mark}))`,
    'g',
  );
}

const KNOWN_LABELS = turnLabels(LANGUAGES);
/** Fewer may be forged turns in a text of another kind. */
const LEAST = 6;

/**
 * A folded text with blanks in place of the labels of a transcript (`user:`, `assistant:`), offsets kept. They tell who
 * speaks and are no words of the text: a model that adds up words takes many of them for many signs of forged turns.
 */
export function withoutTurnLabels(text: string, label: RegExp = KNOWN_LABELS): string {
  const labels = [...text.matchAll(label)].map(([, , name]) => name);
  if (labels.length < LEAST || new Set(labels).size < 2) return text;
  return text.replace(label, (_, before: string, name: string) => before + ' '.repeat(name.length));
}

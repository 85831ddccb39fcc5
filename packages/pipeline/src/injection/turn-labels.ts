import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';
import { overwritten } from '../text/changes.ts';
import { allMatches } from '../text/matches.ts';
import { spliceTokens } from '../tokens/splice.ts';
import type { Tokens } from '../tokens/tokens.ts';

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
 * The tokens of a folded text with blanks in place of the labels of a transcript (`user:`, `assistant:`), offsets kept. They tell who
 * speaks and are no words of the text: a model that adds up words takes many of them for many signs of forged turns.
 */
export function withoutTurnLabels(folded: Tokens, label: RegExp = KNOWN_LABELS): Tokens {
  const { text } = folded;
  const names = new Set<string>();
  const labels = allMatches(text, label).map(({ index, 1: before = '', 2: name = '' }) => {
    names.add(name);
    const start = index + before.length;
    return { start, end: start + name.length };
  });
  if (labels.length < LEAST || names.size < 2) return folded;
  return spliceTokens(folded, overwritten(text, labels, ' '));
}

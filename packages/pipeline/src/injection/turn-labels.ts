/** The label of a turn at the beginning of a line of a transcript, in folded text, with what marks it. */
const LABEL =
  /((?:^|\n)[ \t]{0,4}[*_]{0,2})(user|human|customer|assistant|ai|bot|agent)(?=[*_]{0,2}:[*_]{0,2}\s)/g;
/** Fewer may be forged turns in a text of another kind. */
const LEAST = 6;

/**
 * A folded text with blanks in place of the labels of a transcript (`user:`, `assistant:`), offsets kept. They tell who
 * speaks and are no words of the text: a model that adds up words takes many of them for many signs of forged turns.
 */
export function withoutTurnLabels(text: string): string {
  const labels = [...text.matchAll(LABEL)].map(([, , label]) => label);
  if (labels.length < LEAST || new Set(labels).size < 2) return text;
  return text.replace(
    LABEL,
    (_, before: string, label: string) => before + ' '.repeat(label.length),
  );
}

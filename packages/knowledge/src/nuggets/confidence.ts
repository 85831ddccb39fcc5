/** Confidence by its word (contract, section 7). */
const CONFIDENCE_WORDS: Readonly<Record<string, number>> = {
  low: 0.3,
  medium: 0.6,
  high: 0.9,
};

const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A confidence as a number, from a number or a word in any case; undefined for anything else. */
export function parseConfidence(value: number | string): number | undefined {
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : undefined;
  const text = value.trim().toLowerCase();
  const known = Object.hasOwn(CONFIDENCE_WORDS, text) ? CONFIDENCE_WORDS[text] : undefined;
  return known ?? (NUMBER.test(text) ? parseConfidence(Number(text)) : undefined);
}

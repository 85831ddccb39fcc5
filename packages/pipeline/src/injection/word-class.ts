/** Classes of words from which the phrase rules are built. */
export const WORD_CLASSES = [
  'override',
  'rules',
  'prior',
  'all',
  'your',
  'reveal',
  'secret',
  'persona',
  'unbound',
  'limits',
  'without',
  'assistant',
  'never',
  'comply',
  'answer',
  'change',
  'send',
  'request',
  'character',
  'illicit',
  'regardless',
  'hypothetical',
  'code',
  'system',
  'task',
] as const;

/** One of {@link WORD_CLASSES}. */
export type WordClass = (typeof WORD_CLASSES)[number];

import type { PreparedField } from '../types.ts';
import type { Lexicon } from './lexicon.ts';
import type { WordReader } from './sentences.ts';
import { takeWordReader } from './sentences.ts';

/** A question is in the last so many characters of a prompt. */
const QUESTION_LENGTH = 2_000;

/** The words of the prompt's last sentence, where that asks something; undefined where it does not. */
export function questionOf(
  fields: readonly PreparedField[],
  lexicon: Lexicon,
): WordReader | undefined {
  const prompt = fields.find(({ field }) => field === 'prompt');
  if (prompt === undefined) return undefined;
  const text = prompt.text.slice(-QUESTION_LENGTH).trimEnd();
  return text.endsWith('?') ? lastSentence(text, lexicon) : undefined;
}

function lastSentence(text: string, lexicon: Lexicon): WordReader {
  const from = Math.max(text.lastIndexOf('. '), text.lastIndexOf('\n'), text.lastIndexOf('! ')) + 1;
  const sentence = text.slice(from);
  const reader = takeWordReader(lexicon);
  reader.addText(sentence);
  return reader;
}

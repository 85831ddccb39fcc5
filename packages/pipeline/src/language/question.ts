import type { TextBlock } from '../text/prepared-text.ts';
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
  const { length } = prompt.text;
  const text = prompt.text.slice(-QUESTION_LENGTH).trimEnd();
  if (!text.endsWith('?')) return undefined;
  const from = Math.max(text.lastIndexOf('. '), text.lastIndexOf('\n'), text.lastIndexOf('! ')) + 1;
  const start = Math.max(0, length - QUESTION_LENGTH) + from;
  return readFrom(prompt.blocks, start, lexicon);
}

/** The words that begin at a place of a field or behind it. */
function readFrom(blocks: readonly TextBlock[], start: number, lexicon: Lexicon): WordReader {
  const reader = takeWordReader(lexicon);
  for (const block of blocks) {
    const { normalized, ownedStart, ownedEnd } = block;
    if (ownedEnd > start)
      reader.add(normalized, block.tokensOf(normalized), Math.max(start, ownedStart), ownedEnd);
  }
  return reader;
}

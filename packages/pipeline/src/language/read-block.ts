import type { TextBlock } from '../text/prepared-text.ts';
import type { WordReader } from './sentences.ts';

/** Adds the words that begin in a block's own part, with their places in the original text. */
export function readBlock(reader: WordReader, block: TextBlock): void {
  const { normalized, ownedStart, ownedEnd } = block;
  reader.add(normalized, block.tokensOf(normalized), ownedStart, ownedEnd);
}

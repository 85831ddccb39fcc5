import type { TextBlock } from '../text/prepared-text.ts';
import type { WordReader } from './sentences.ts';

/** Adds the words that begin in a block's own part, with their places in the original text. */
export function readBlock(reader: WordReader, block: TextBlock): void {
  const view = block.normalized;
  const first = block.source.range(0, 0).start;
  const whole = block.ownedStart === first && block.source.text.length === block.ownedEnd - first;
  const isOwn = whole
    ? () => true
    : (at: number) => {
        const place = view.range(at, at).start;
        return place >= block.ownedStart && place < block.ownedEnd;
      };
  reader.add(view.text, isOwn, view.range);
}

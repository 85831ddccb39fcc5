import { type PreparedText, prepareText, type TextBlock } from './prepared-text.ts';

/** Block body, and the surroundings that a detector sees before and after it, in UTF-16 units. */
const BODY = 8192;
const LEAD = 256;
const TAIL = 1024;
// A text a little longer than a body stays one block: the surroundings would cost more than they save.
const SINGLE = BODY + TAIL;

/**
 * Cuts a text into overlapping blocks, so that work on one block takes a few milliseconds at most
 * whatever the text. A block is prepared when its turn comes and then kept for later stages.
 */
export function createBlocks(text: string): readonly TextBlock[] {
  if (text.length <= SINGLE) return [createBlock(text, 0, text.length)];
  const blocks: TextBlock[] = [];
  for (let start = 0; start < text.length; start += BODY) {
    blocks.push(createBlock(text, start, Math.min(text.length, start + BODY)));
  }
  return blocks;
}

function createBlock(text: string, ownedStart: number, ownedEnd: number): TextBlock {
  const from = wholeCharacter(text, Math.max(0, ownedStart - LEAD));
  const to = wholeCharacter(text, Math.min(text.length, ownedEnd + TAIL));
  let made: PreparedText | undefined;
  const prepared = (): PreparedText => {
    made ??= prepareText(text.slice(from, to), from);
    return made;
  };
  return {
    ownedStart,
    ownedEnd,
    get source() {
      return prepared().source;
    },
    get normalized() {
      return prepared().normalized;
    },
    get folded() {
      return prepared().folded;
    },
    get deobfuscated() {
      return prepared().deobfuscated;
    },
    get decoded() {
      return prepared().decoded;
    },
  };
}

/** Moves a cut off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const low = code >= 0xdc00 && code <= 0xdfff;
  return low && index > 0 ? index - 1 : index;
}

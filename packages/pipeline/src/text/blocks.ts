import type { Tokens } from '../tokens/tokens.ts';
import type { DecodedText, PreparedText, TextBlock } from './prepared-text.ts';
import { prepareText } from './prepared-text.ts';
import type { TextView } from './text-view.ts';

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
  return new LazyBlock(text, ownedStart, ownedEnd);
}

// A class: an accessor in an object literal costs every scan a hidden class of its own.
class LazyBlock implements TextBlock {
  readonly ownedStart: number;
  readonly ownedEnd: number;
  readonly #text: string;
  #made: PreparedText | undefined;

  constructor(text: string, ownedStart: number, ownedEnd: number) {
    this.ownedStart = ownedStart;
    this.ownedEnd = ownedEnd;
    this.#text = text;
  }

  get #prepared(): PreparedText {
    this.#made ??= this.#prepare();
    return this.#made;
  }

  #prepare(): PreparedText {
    const from = wholeCharacter(this.#text, Math.max(0, this.ownedStart - LEAD));
    const to = wholeCharacter(this.#text, Math.min(this.#text.length, this.ownedEnd + TAIL));
    return prepareText(this.#text.slice(from, to), from);
  }

  get source(): TextView {
    return this.#prepared.source;
  }

  get normalized(): TextView {
    return this.#prepared.normalized;
  }

  get folded(): TextView {
    return this.#prepared.folded;
  }

  get deobfuscated(): TextView | undefined {
    return this.#prepared.deobfuscated;
  }

  get decoded(): readonly DecodedText[] {
    return this.#prepared.decoded;
  }

  tokensOf(form: TextView): Tokens {
    return this.#prepared.tokensOf(form);
  }
}

/** Moves a cut off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const low = code >= 0xdc00 && code <= 0xdfff;
  return low && index > 0 ? index - 1 : index;
}

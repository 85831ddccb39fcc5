import type { SplitBefore } from '../tokens/overlap.ts';
import { wordsBetween } from '../tokens/overlap.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { DecodedText, PreparedSlice, TextBlock } from './prepared-text.ts';
import { prepareSlice } from './prepared-text.ts';
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
  if (text.length <= SINGLE) return [new LazyBlock(text, 0, text.length)];
  const blocks: LazyBlock[] = [];
  for (let start = 0; start < text.length; start += BODY) {
    blocks.push(new LazyBlock(text, start, Math.min(text.length, start + BODY), blocks.at(-1)));
  }
  return blocks;
}

// A class: an accessor in an object literal costs every scan a hidden class of its own.
class LazyBlock implements TextBlock {
  readonly ownedStart: number;
  readonly ownedEnd: number;
  readonly #text: string;
  readonly #previous: LazyBlock | undefined;
  #made: PreparedSlice | undefined;

  constructor(text: string, ownedStart: number, ownedEnd: number, previous?: LazyBlock) {
    this.#previous = previous;
    this.ownedStart = ownedStart;
    this.ownedEnd = ownedEnd;
    this.#text = text;
  }

  get #prepared(): PreparedSlice {
    this.#made ??= this.#prepare();
    return this.#made;
  }

  get #from(): number {
    return wholeCharacter(this.#text, Math.max(0, this.ownedStart - LEAD));
  }

  get #to(): number {
    return wholeCharacter(this.#text, Math.min(this.#text.length, this.ownedEnd + TAIL));
  }

  #prepare(): PreparedSlice {
    const from = this.#from;
    const previous = this.#previous;
    const before = () => (previous === undefined ? undefined : previous.#splitFrom(from));
    return prepareSlice(this.#text.slice(from, this.#to), from, before);
  }

  /** What was split of this block from a place of the text on, which the block behind has as well. */
  #splitFrom(place: number): SplitBefore | undefined {
    const split = this.#made?.split();
    const words = split && wordsBetween(this.#text, place, this.#to);
    return words && { ...split, ...words };
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

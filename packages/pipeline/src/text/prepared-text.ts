import type { SplitBefore, SplitPart } from '../tokens/overlap.ts';
import { spliceTokens } from '../tokens/splice.ts';
import type { TokenRows } from '../tokens/token-row.ts';
import { WITH_PLACES } from '../tokens/token-row.ts';
import type { TokenForms, Tokens } from '../tokens/tokens.ts';
import { tokensOfForms } from '../tokens/tokens.ts';
import type { DecodeBudget, DecodedView, Encoding } from './decode.ts';
import { decodeUnseen, decodeView } from './decode.ts';
import type { Deobfuscated } from './deobfuscate.ts';
import { deobfuscate } from './deobfuscate.ts';
import { foldView, normalizeView } from './fold.ts';
import type { TextView } from './text-view.ts';
import { identityView } from './text-view.ts';

const MAX_DEPTH = 3;
const MIN_DECODE_BUDGET = 4096;

/**
 * One text with its rewritten forms. Each form is made at its first use and then kept, so stages
 * share the work; every form maps back to the original.
 */
export interface PreparedText {
  /** The text as it came. */
  readonly source: TextView;
  /** NFKC, nothing invisible, ASCII digits, dashes, quotes and blanks; case kept. */
  readonly normalized: TextView;
  /** `normalized` in lower case, without diacritics and look-alike letters. */
  readonly folded: TextView;
  /** `folded` with leetspeak and letter-spacing undone; undefined where there is none. */
  readonly deobfuscated: TextView | undefined;
  /** Texts hidden in this one by an encoding, at most three levels deep, each prepared likewise. */
  readonly decoded: readonly DecodedText[];
  /**
   * The tokens of one of the forms above. The text is split once, for all of its readers: the first question
   * makes the tokens of `normalized` and `folded` together. Those of the deobfuscated form are the same ones but for
   * the words that were rewritten.
   */
  tokensOf(form: TextView): Tokens;
}

/** A prepared text that came out of an encoding. */
export interface DecodedText extends PreparedText {
  readonly encoding: Encoding;
}

/** A block of a long text. What begins in [ownedStart, ownedEnd) belongs to this block alone. */
export interface TextBlock extends PreparedText {
  readonly ownedStart: number;
  readonly ownedEnd: number;
}

/**
 * Prepares a text for scanning.
 *
 * @param text any string
 * @param offset added to every offset, for a slice of a longer text
 */
export function prepareText(text: string, offset = 0): PreparedText {
  return prepareSlice(text, offset, () => undefined);
}

/** A slice of a text whose tokens may be those of another slice in part. */
export interface PreparedSlice extends PreparedText {
  /** What was split; undefined before the first question for tokens. */
  split(): (SplitPart & { readonly made: TokenRows }) | undefined;
}

/**
 * Prepares a slice of a text for scanning.
 *
 * @param before the slice that was split before and overlaps with this one, if any; called when tokens are made
 */
export function prepareSlice(
  text: string,
  offset: number,
  before: () => SplitBefore | undefined,
): PreparedSlice {
  const budget = { remaining: Math.max(MIN_DECODE_BUDGET, text.length * 2) };
  return new PreparedView(identityView(text, offset), 0, budget, before);
}

// A class: an accessor in an object literal costs every scan a hidden class of its own.
class PreparedView implements PreparedSlice {
  readonly source: TextView;
  readonly #depth: number;
  readonly #budget: DecodeBudget;
  readonly #before: (() => SplitBefore | undefined) | undefined;
  #normalized: TextView | undefined;
  #folded: TextView | undefined;
  #deobfuscated: Deobfuscated | undefined | null = null;
  #decoded: readonly DecodedText[] | undefined;
  #tokens: TokenForms | undefined;
  #deobfuscatedTokens: Tokens | undefined;

  constructor(
    source: TextView,
    depth: number,
    budget: DecodeBudget,
    before?: () => SplitBefore | undefined,
  ) {
    this.source = source;
    this.#before = before;
    this.#depth = depth;
    this.#budget = budget;
  }

  get normalized(): TextView {
    this.#normalized ??= normalizeView(this.source);
    return this.#normalized;
  }

  get folded(): TextView {
    this.#folded ??= foldView(this.normalized);
    return this.#folded;
  }

  get deobfuscated(): TextView | undefined {
    if (this.#deobfuscated === null) this.#deobfuscated = deobfuscate(this.folded);
    return this.#deobfuscated?.view;
  }

  get decoded(): readonly DecodedText[] {
    this.#decoded ??= decodeAll(this.source, this.normalized, this.#depth, this.#budget);
    return this.#decoded;
  }

  tokensOf(form: TextView): Tokens {
    this.#tokens ??= this.#split();
    if (form === this.#deobfuscated?.view) {
      this.#deobfuscatedTokens ??= this.#deobfuscated.steps.reduce(
        spliceTokens,
        this.#tokens.folded,
      );
      return this.#deobfuscatedTokens;
    }
    return form === this.#folded ? this.#tokens.folded : this.#tokens.normalized;
  }

  #split(): TokenForms {
    const start = this.source.shift ?? 0;
    return tokensOfForms(this.normalized, () => this.folded, start, this.#before?.());
  }

  split(): (SplitPart & { readonly made: TokenRows }) | undefined {
    if (this.#tokens === undefined) return undefined;
    const { made } = this.#tokens;
    return {
      made,
      start: this.source.shift ?? 0,
      edits: this.normalized.edits,
      foldedEdits: made.width === WITH_PLACES ? this.folded.edits : undefined,
    };
  }
}

function decodeAll(
  source: TextView,
  normalized: TextView,
  depth: number,
  budget: DecodeBudget,
): DecodedText[] {
  if (depth >= MAX_DEPTH) return [];
  const views = decodeView(normalized, budget);
  if (source !== normalized) views.push(...decodeUnseen(source, budget));
  return views.map((found) => prepareDecoded(found, depth + 1, budget));
}

function prepareDecoded(found: DecodedView, depth: number, budget: DecodeBudget): DecodedText {
  return new DecodedPreparedView(found, depth, budget);
}

class DecodedPreparedView extends PreparedView implements DecodedText {
  readonly encoding: Encoding;

  constructor({ view, encoding }: DecodedView, depth: number, budget: DecodeBudget) {
    super(view, depth, budget);
    this.encoding = encoding;
  }
}

/** The text itself and everything decoded from it, outermost first. */
export function eachText(text: PreparedText): Iterable<PreparedText> {
  return text.decoded.length === 0 ? [text] : eachDecoded(text);
}

function* eachDecoded(text: PreparedText): Generator<PreparedText> {
  yield text;
  for (const inner of text.decoded) yield* eachDecoded(inner);
}

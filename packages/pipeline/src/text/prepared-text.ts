import { type DecodeBudget, type DecodedView, decodeView, type Encoding } from './decode.ts';
import { deobfuscateView } from './deobfuscate.ts';
import { foldView, normalizeView } from './fold.ts';
import { identityView, type TextView } from './text-view.ts';

const MAX_DEPTH = 3;
const MIN_DECODE_BUDGET = 4096;

/**
 * One text with its rewritten forms. Each form is made when first asked for and then kept, so stages
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
}

/** A prepared text that came out of an encoding. */
export interface DecodedText extends PreparedText {
  readonly encoding: Encoding;
}

/** A stretch of a long text. What begins in [ownedStart, ownedEnd) belongs to this block alone. */
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
  const budget = { remaining: Math.max(MIN_DECODE_BUDGET, text.length * 2) };
  return prepareView(identityView(text, offset), 0, budget);
}

function prepareView(source: TextView, depth: number, budget: DecodeBudget): PreparedText {
  const normalized = once(() => normalizeView(source));
  const folded = once(() => foldView(normalized()));
  const deobfuscated = once(() => deobfuscateView(folded()));
  const decoded = once(() => decodeAll(source, normalized(), depth, budget));
  return {
    source,
    get normalized() {
      return normalized();
    },
    get folded() {
      return folded();
    },
    get deobfuscated() {
      return deobfuscated();
    },
    get decoded() {
      return decoded();
    },
  };
}

// Tag characters vanish in normalising, so the source is looked at as well where it has any.
function decodeAll(
  source: TextView,
  normalized: TextView,
  depth: number,
  budget: DecodeBudget,
): DecodedText[] {
  if (depth >= MAX_DEPTH) return [];
  const views = decodeView(normalized, budget);
  if (source !== normalized && source.text.includes('\udb40')) {
    views.push(...decodeView(source, budget).filter((found) => found.encoding === 'tags'));
  }
  return views.map((found) => prepareDecoded(found, depth + 1, budget));
}

function prepareDecoded(found: DecodedView, depth: number, budget: DecodeBudget): DecodedText {
  const prepared = prepareView(found.view, depth, budget);
  return Object.defineProperty(prepared, 'encoding', {
    value: found.encoding,
    enumerable: true,
  }) as DecodedText;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The text itself and everything decoded from it, outermost first. */
export function* eachText(text: PreparedText): Generator<PreparedText> {
  yield text;
  for (const inner of text.decoded) yield* eachText(inner);
}

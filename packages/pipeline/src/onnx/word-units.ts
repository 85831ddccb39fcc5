import type { Tensor, Tokenizer, TransformersLibrary } from './library.ts';

/** A word of a text, or a character of a script that is written without blanks, with its tokens. */
export interface WordUnit {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

const DENSE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
/** Words between blanks, and separately the signs before the first letter or digit of a word. */
export const BLANK_WORDS = new RegExp(`[${DENSE}]|[^\\s\\p{L}\\p{N}]+|[^\\s${DENSE}]+`, 'gu');
/** Words and signs, as models that read their labels split them. */
export const WORDS_AND_SIGNS = /[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*|\S/gu;

/** The tokens of a text, without those around it. */
export function idsOf(tokenizer: Tokenizer, text: string): readonly number[] {
  return tokenizer(text, { add_special_tokens: false, return_tensor: false }).input_ids;
}

/** Reads a text word by word; a word without a token is left out. */
export function readUnits(
  tokenizer: Tokenizer,
  text: string,
  words: RegExp,
  keepsBlanks: boolean,
): WordUnit[] {
  return [...text.matchAll(words)].flatMap(({ 0: word, index: start }) => {
    // Some tokenizers tell a word behind a blank from the same letters within a word.
    const isBehindBlank = keepsBlanks && start > 0 && /\s/.test(text.charAt(start - 1));
    const ids = idsOf(tokenizer, isBehindBlank ? ` ${word}` : word);
    return ids.length === 0 ? [] : [{ start, end: start + word.length, ids }];
  });
}

/** The tokens that a tokenizer puts around every text. */
export function tokensAround(tokenizer: Tokenizer): {
  readonly before: readonly number[];
  readonly after: readonly number[];
} {
  const word = idsOf(tokenizer, 'a');
  const whole = tokenizer('a', { add_special_tokens: true, return_tensor: false }).input_ids;
  const start = Math.max(0, whole.indexOf(word[0] ?? -1));
  return { before: whole.slice(0, start), after: whole.slice(start + word.length) };
}

/** Cuts words into runs of at most `most` tokens, as equal as may be. */
export function toRuns(units: readonly WordUnit[], most: number): WordUnit[][] {
  const tokens = units.reduce((sum, { ids }) => sum + ids.length, 0);
  if (units.length === 0) return [];
  if (tokens <= most || units.length === 1) return [[...units]];
  const middle = units.length >> 1;
  return [units.slice(0, middle), units.slice(middle)].flatMap((half) => toRuns(half, most));
}

/** A tensor of whole numbers. */
export function integers(
  { Tensor }: TransformersLibrary,
  values: readonly number[],
  dims: readonly number[],
): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

import type { Random } from '@probity/test-support/random';
import { FAITHFUL_EDITS } from './sentence-edits.ts';

const FUNCTION = /^(?:the|a|an|of|in|to|for|that|and|which|with|on|at|by|as|is|are|was|were)$/i;

const LOWER_WORD = /^[a-z]{4,}$/;
const MAX_REPLACED = 0.3;

/**
 * Says a sentence as a summary would: reworded, small words gone, halves exchanged, and up to three in
 * ten of its common words replaced by others. The others are taken from anywhere: no table has the
 * words that people find for the same thing, and what has to be learned is that new common words alone
 * prove nothing where much is said in other words.
 */
export function paraphrase(sentence: string, foreign: readonly string[], random: Random): string {
  let text = sentence.replace(/[.!?]+$/, '');
  for (let round = 0; round < 3; round++) {
    text = random.pick(FAITHFUL_EDITS)(text, random, []) ?? text;
  }
  const others = random
    .pick(foreign)
    .split(/[^\p{L}]+/u)
    .filter((word) => LOWER_WORD.test(word));
  const share = MAX_REPLACED * random.next();
  const words = text
    .split(' ')
    .filter((word) => !FUNCTION.test(word) || random.next() < 0.6)
    .map((word) => {
      const replaced = LOWER_WORD.test(word) && others.length > 0 && random.next() < share;
      return replaced && !FUNCTION.test(word) ? random.pick(others) : word;
    });
  const middle = Math.floor(words.length / 2);
  const turned = random.next() < 0.3 ? [...words.slice(middle), ...words.slice(0, middle)] : words;
  const kept = Math.max(5, Math.round(turned.length * (0.5 + 0.5 * random.next())));
  const said = turned.slice(0, kept).join(' ');
  return `${said[0]?.toUpperCase()}${said.slice(1)}.`;
}

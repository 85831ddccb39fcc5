import { typeOf } from '../known-members.ts';
import type { Entry, Lexicon } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import { cosineOf, meanVector } from '../language/sentence-vector.ts';
import { readWords } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import { RELATION } from '../language/word-relation.ts';

/** Credit for words that can stand for each other, are forms of one, or occur in like contexts. */
const SYNONYM = 0.95;
const DERIVED = 0.75;
const BROADER = 0.7;
const NEAR = 0.6;
const BOTH_NUMBERS = 0.3;
/** Credit for two words of one field, and for two that exclude each other: both are about one thing. */
const SAME_TOPIC = 0.2;
const OPPOSITE = 0.1;
/** Below this cosine two words have nothing in common that would count. */
const MIN_COSINE = 0.15;
const COSINE_CREDIT = 0.75;
/** Share of the meaning of the whole beside that of the words one by one. */
const WHOLE_SHARE = 0.25;
const FUNCTION_SHARE = 0.08;
const NEGATION_CREDIT = 0.75;
const NUMBER_CREDIT = 0.9;
const MAX_WORDS = 120;
const ANY_BROADER = RELATION.broader | RELATION.narrower;

/**
 * How alike two sentences are in meaning, 0 to 1: each word is held against its nearest in the other
 * sentence, weighted by its information, in both directions (after Mihalcea et al. 2006), beside the
 * cosine of the means of their vectors. Symmetric. Of longer texts the first 120 words count.
 *
 * @throws TypeError for what is no text
 */
export function similarity(a: string, b: string): number {
  for (const text of [a, b]) {
    if (typeof text !== 'string') {
      throw new TypeError(`similarity: expected two texts; got ${typeOf(text)}.`);
    }
  }
  const lexicon = sharedLexicon();
  const left = readWords(lexicon, a.normalize('NFKC')).entries.slice(0, MAX_WORDS);
  const right = readWords(lexicon, b.normalize('NFKC')).entries.slice(0, MAX_WORDS);
  if (left.length === 0 || right.length === 0) return left.length === right.length ? 1 : 0;
  return similarityOf(left, right, lexicon);
}

function similarityOf(left: readonly Entry[], right: readonly Entry[], lexicon: Lexicon): number {
  const there = creditOf(left, right, lexicon);
  const back = creditOf(right, left, lexicon);
  const words = (there + back) / 2;
  const { vectors } = lexicon;
  const known = left.some(({ row }) => row >= 0) && right.some(({ row }) => row >= 0);
  const whole = known ? cosineOf(meanVector(left, vectors), meanVector(right, vectors)) : words;
  const both = (1 - WHOLE_SHARE) * words + WHOLE_SHARE * Math.max(0, whole || words);
  const negated = negations(left) % 2 === negations(right) % 2 ? 1 : NEGATION_CREDIT;
  return Math.min(1, both * negated * (numbersDiffer(left, right) ? NUMBER_CREDIT : 1));
}

/** The share of the information of `own` that the other sentence has as well. */
function creditOf(own: readonly Entry[], other: readonly Entry[], lexicon: Lexicon): number {
  let total = 0;
  let credit = 0;
  for (const entry of own) {
    const light = (entry.kinds & KIND.function) !== 0;
    const weight = light ? FUNCTION_SHARE : entry.weight;
    let best = 0;
    for (const candidate of other) {
      if (light !== ((candidate.kinds & KIND.function) !== 0) && entry.stem !== candidate.stem)
        continue;
      best = Math.max(
        best,
        light ? Number(entry.stem === candidate.stem) : alike(entry, candidate, lexicon),
      );
      if (best === 1) break;
    }
    total += weight;
    credit += weight * best;
  }
  return total === 0 ? 0 : credit / total;
}

function alike(a: Entry, b: Entry, lexicon: Lexicon): number {
  if (a.stem === b.stem) return 1;
  const bits = lexicon.relation(a, b);
  if ((bits & RELATION.synonym) !== 0) return SYNONYM;
  if ((bits & RELATION.derived) !== 0) return DERIVED;
  if ((bits & RELATION.opposite) !== 0) return OPPOSITE;
  if ((bits & ANY_BROADER) !== 0) return BROADER;
  if ((bits & RELATION.topic) !== 0) return SAME_TOPIC;
  if ((a.kinds & b.kinds & KIND.number) !== 0) return BOTH_NUMBERS;
  const near = (bits & RELATION.near) !== 0 ? NEAR : 0;
  const cosine = lexicon.vectors.cosine(a.row, b.row);
  return cosine < MIN_COSINE ? near : Math.max(near, (cosine - MIN_COSINE) * COSINE_CREDIT);
}

function negations(entries: readonly Entry[]): number {
  return entries.filter(({ kinds }) => (kinds & KIND.negation) !== 0).length;
}

function numbersDiffer(left: readonly Entry[], right: readonly Entry[]): boolean {
  const isNumber = ({ kinds }: Entry) => (kinds & KIND.number) !== 0;
  const numbers = left.filter(isNumber);
  const others = right.filter(isNumber);
  if (numbers.length === 0 || others.length === 0) return false;
  return !numbers.some((number) => others.some((other) => other.stem === number.stem));
}

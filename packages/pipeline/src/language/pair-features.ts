import type { Alignment } from './alignment.ts';
import { alignWords } from './alignment.ts';
import { GAP } from './join-words.ts';
import type { Lexicon } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import { countNegationFlips } from './negation-flips.ts';
import type { ComparedPair } from './pair.ts';
import { PAIR_INDEX, Pair } from './pair.ts';
import { addConflicts } from './slot-conflicts.ts';
import { countSwaps } from './swaps.ts';
import type { WordSpan } from './words.ts';

/**
 * Aligns a claim with a source and measures how far the one says what the other says.
 *
 * @param pair where to put what comes out, for callers that compare many
 */
export function comparePair(
  claim: WordSpan,
  source: WordSpan,
  lexicon: Lexicon,
  pair: Pair = new Pair(),
): ComparedPair {
  pair.claim = claim;
  pair.source = source;
  pair.features.fill(0);
  alignWords(claim, source, lexicon.relation, pair.alignment);
  const compared = pair as ComparedPair;
  addCoverage(compared);
  addConflicts(compared, lexicon.relation);
  addNegation(compared);
  addOrder(compared);
  return compared;
}

function addCoverage({ claim, source, alignment, features }: ComparedPair): void {
  const { partner, reverse, quality: likeness, claimCount, sourceCount } = alignment;
  const { weights, kinds } = claim.words;
  let total = 0;
  let matched = 0;
  let exact = 0;
  let runs = 0;
  let unmatched = 0;
  let heaviest = 0;
  for (let i = 0; i < claimCount; i++) {
    const weight = weights[claim.from + i] as number;
    total += weight;
    const j = partner[i] as number;
    if (j < 0) {
      if (((kinds[claim.from + i] as number) & KIND.function) !== 0) continue;
      unmatched++;
      if (weight > heaviest) heaviest = weight;
      continue;
    }
    const quality = likeness[i] as number;
    matched += weight * quality;
    if (quality === 1) exact += weight;
    if (i > 0 && j > 0 && partner[i - 1] === j - 1) runs++;
  }
  let sourceTotal = 0;
  let sourceMatched = 0;
  for (let j = 0; j < sourceCount; j++) {
    const weight = source.words.weights[source.from + j] as number;
    sourceTotal += weight;
    const i = reverse[j] as number;
    if (i >= 0) sourceMatched += weight * (likeness[i] as number);
  }
  features[PAIR_INDEX.claimCoverage] = total === 0 ? 0 : matched / total;
  features[PAIR_INDEX.sourceCoverage] = sourceTotal === 0 ? 0 : sourceMatched / sourceTotal;
  features[PAIR_INDEX.claimExact] = total === 0 ? 0 : exact / total;
  features[PAIR_INDEX.claimRuns] = runs / Math.max(1, claimCount - 1);
  features[PAIR_INDEX.unmatched] = Math.min(unmatched, 8);
  features[PAIR_INDEX.heaviestUnmatched] = heaviest;
  features[PAIR_INDEX.lengthRatio] = Math.min(4, total / Math.max(1, sourceTotal));
}

const SCOPE = 4;

/** Whether a word is negated: a negation shortly before it in the same clause, or right behind. */
function isNegated({ words, from }: WordSpan, at: number): boolean {
  for (let before = at; before >= 0 && before >= at - SCOPE; before--) {
    if (((words.kinds[from + before] as number) & KIND.negation) !== 0) return true;
    if (((words.gap[from + before] as number) & (GAP.pause | GAP.stop)) !== 0) return false;
  }
  return false;
}

function countNegations({ words, from, to }: WordSpan): number {
  let negations = 0;
  for (let at = from; at < to; at++) {
    if (((words.kinds[at] as number) & KIND.negation) !== 0) negations++;
  }
  return negations;
}

/** The share of partners of which one is negated and the other is not. */
function addNegation({ claim, source, alignment, features }: ComparedPair): void {
  const own = countNegations(claim);
  const other = countNegations(source);
  if (own + other + claim.negated === 0) return;
  let partners = 0;
  let different = 0;
  for (let i = 0; i < alignment.claimCount; i++) {
    const j = alignment.partner[i] as number;
    if (j < 0 || ((claim.words.kinds[claim.from + i] as number) & KIND.function) !== 0) continue;
    partners++;
    const negated = (own > 0 && isNegated(claim, i)) !== (claim.negated === 1);
    if (negated !== (other > 0 && isNegated(source, j))) different++;
  }
  const flips = claim.negated === 1 ? 0 : countNegationFlips(claim, source, alignment);
  features[PAIR_INDEX.negationFlips] = Math.min(2, flips);
  features[PAIR_INDEX.negationCount] = Math.min(3, different);
  const negations = own + claim.negated + (other === 0 ? 0 : nearNegations(source, alignment));
  features[PAIR_INDEX.negationParity] = negations % 2;
  features[PAIR_INDEX.negation] =
    partners === 0 ? 0 : Math.min(1, different / Math.min(partners, 4));
}

/** Source words this far from a word with a partner belong to what the claim is about. */
const REACH = 6;

/** Negations of the source that belong to what the claim is about. */
function nearNegations(source: WordSpan, { reverse, sourceCount }: Alignment): number {
  const { kinds } = source.words;
  let negations = 0;
  for (let j = 0; j < sourceCount; j++) {
    if (((kinds[source.from + j] as number) & KIND.negation) === 0) continue;
    const to = Math.min(sourceCount - 1, j + REACH);
    for (let at = Math.max(0, j - REACH); at <= to; at++) {
      if ((reverse[at] as number) < 0) continue;
      if (((kinds[source.from + at] as number) & KIND.function) !== 0) continue;
      negations++;
      break;
    }
  }
  return negations;
}

/** A word that moved by less than this, such as in "pilots of the harbour", kept its role. */
const FAR = 6;

/** Where in the source a word would stand if it had kept its place beside the words before it. */
function expectedPlace({ partner, displaced, claimCount }: Alignment, i: number): number {
  for (let far = 1; far <= 6; far++) {
    const before = i >= far ? (partner[i - far] as number) : -1;
    if (before >= 0 && displaced[i - far] !== 1) return before + far;
    const after = i + far < claimCount ? (partner[i + far] as number) : -1;
    if (after >= 0 && displaced[i + far] !== 1) return after - far;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Partners out of order; those that moved far and alone are signs of swapped roles. */
function addOrder({ claim, source, alignment, features }: ComparedPair): void {
  if (alignment.displacedCount === 0) return;
  const { partner, claimCount } = alignment;
  let content = 0;
  let displaced = 0;
  let exchanged = 0;
  for (let i = 0; i < claimCount; i++) {
    const j = partner[i] as number;
    if (j < 0 || ((claim.words.kinds[claim.from + i] as number) & KIND.function) !== 0) continue;
    content++;
    if (alignment.displaced[i] !== 1) continue;
    displaced++;
    const left = i > 0 && partner[i - 1] === j - 1;
    const right = i + 1 < claimCount && partner[i + 1] === j + 1;
    if (!(left || right) && Math.abs(j - expectedPlace(alignment, i)) >= FAR) exchanged++;
  }
  features[PAIR_INDEX.displaced] = content === 0 ? 0 : displaced / content;
  features[PAIR_INDEX.exchanged] = Math.min(4, exchanged);
  features[PAIR_INDEX.swapped] = Math.min(3, countSwaps(claim, source, alignment));
}

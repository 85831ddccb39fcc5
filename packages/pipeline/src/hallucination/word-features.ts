import { SHAPE } from '../language/join-words.ts';
import type { Entry } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import type { ComparedPair } from '../language/pair.ts';
import { isName, PAIR_INDEX } from '../language/pair.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { SOURCE_INDEX } from './source-features.ts';
import type { SourceIndex } from './source-index.ts';
import { isInformative } from './source-index.ts';

/** Whether a word of the claim is a name, by its number in the claim. */
export type NameTest = (at: number) => boolean;

/**
 * Knows names by their capitals; where a claim has none at all, by those of the source, and by being
 * unknown.
 */
export function namesOf(span: WordSpan, index: SourceIndex, numbers: Int32Array): NameTest {
  const { words, from, to } = span;
  for (let at = from; at < to; at++) {
    if (((words.shape[at] as number) & SHAPE.capital) !== 0) return (own) => isName(span, own);
  }
  return (own) => {
    const number = numbers[own] as number;
    if (number >= 0) return index.isNamed(number);
    return ((words.kinds[from + own] as number) & KIND.nameLike) !== 0;
  };
}

/**
 * Adds the features of a claim's words: the share that the source has, and the new ones.
 *
 * @returns whether the source has numbers of the claim in another form only
 */
export function addWords(
  features: Float32Array,
  span: WordSpan,
  index: SourceIndex,
  numbers: Int32Array,
  names: NameTest,
): boolean {
  const { words, from, to } = span;
  let total = 0;
  let found = 0;
  let alike = 0;
  let newWeight = 0;
  let heaviest = 0;
  let newNumbers = 0;
  let newNames = 0;
  let hasForms = false;
  for (let at = from; at < to; at++) {
    const weight = words.weights[at] as number;
    total += weight;
    if ((numbers[at - from] as number) >= 0) {
      found += weight;
      continue;
    }
    const kinds = words.kinds[at] as number;
    if (!isInformative(kinds)) continue;
    if ((kinds & KIND.number) !== 0 && index.hasForm(words, at)) {
      found += weight;
      hasForms = true;
      continue;
    }
    if (index.hasSense((words.entries[at] as Entry).senses)) alike += weight;
    else {
      newWeight += weight;
      heaviest = Math.max(heaviest, weight);
    }
    if ((kinds & KIND.number) !== 0) newNumbers++;
    else if (names(at - from)) newNames++;
  }
  const all = Math.max(total, 0.1);
  features[SOURCE_INDEX.coverage] = found / all;
  features[SOURCE_INDEX.coverageAlike] = (found + 0.85 * alike) / all;
  features[SOURCE_INDEX.newWordShare] = newWeight / all;
  features[SOURCE_INDEX.heaviestNewWord] = heaviest;
  features[SOURCE_INDEX.newNumbers] = Math.min(4, newNumbers);
  features[SOURCE_INDEX.newNames] = Math.min(4, newNames);
  return hasForms;
}

/**
 * Whether a bare number is given as the answer that the source has, but not at its end: a reckoning
 * ends with its result.
 */
export function isEarlyNumber({ words, from, to }: WordSpan, source: Words): boolean {
  let number = -1;
  let other = 0;
  for (let at = from; at < to; at++) {
    const kinds = words.kinds[at] as number;
    if ((kinds & KIND.number) !== 0) {
      if (number >= 0) return false;
      number = at;
    } else if (isInformative(kinds) && ++other > 2) return false;
  }
  if (number < 0) return false;
  let seen = 0;
  for (let at = source.count - 1; at >= 0 && seen < 2; at--) {
    if (((source.kinds[at] as number) & KIND.number) === 0) continue;
    if (source.stems[at] === words.stems[number]) return false;
    seen++;
  }
  return seen > 0;
}

/** Words that stand in the source, but neither in the best sentence nor beside it. */
export function addNearness(
  features: Float32Array,
  span: WordSpan,
  index: SourceIndex,
  { alignment, features: pairFeatures }: ComparedPair,
  sentence: number,
  numbers: Int32Array,
  isNamed: NameTest,
): void {
  const { words, from, to } = span;
  let total = 0;
  let covered = 0;
  let distantNumbers = 0;
  let names = 0;
  let informativeWeight = 0;
  let open = 0;
  for (let at = from; at < to; at++) {
    const weight = words.weights[at] as number;
    total += weight;
    const quality = alignment.quality[at - from] as number;
    const number = numbers[at - from] as number;
    const kinds = words.kinds[at] as number;
    const informative = isInformative(kinds);
    if (informative) informativeWeight += weight;
    if (quality === 1 || (number >= 0 && index.isNear(number, sentence))) {
      covered += weight;
      continue;
    }
    covered += quality * weight;
    if (!informative) continue;
    open += (1 - quality) * weight;
    if (quality > 0 || number < 0) continue;
    if ((kinds & KIND.number) !== 0) distantNumbers++;
    else if (isNamed(at - from)) names++;
  }
  const all = Math.max(total, 0.1);
  const best = pairFeatures[PAIR_INDEX.claimCoverage] as number;
  features[SOURCE_INDEX.openShare] = informativeWeight === 0 ? 0 : open / informativeWeight;
  features[SOURCE_INDEX.distantNumbers] = Math.min(4, distantNumbers);
  features[SOURCE_INDEX.distantNames] = Math.min(4, names);
  features[SOURCE_INDEX.neighbourCoverage] = covered / all;
  features[SOURCE_INDEX.bestGap] = (features[SOURCE_INDEX.coverageAlike] as number) - best;
}

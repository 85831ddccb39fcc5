import type { Alignment, Relation } from './alignment.ts';
import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import type { ComparedPair } from './pair.ts';
import { isName, PAIR_INDEX } from './pair.ts';
import { RELATION } from './word-relation.ts';

/** How far to look for words with a partner on both sides of one without. */
const REACH = 4;
/** Words of a slot that are looked at, at most. */
const MAX_SLOT = 5;

/** The words of the source in the place of one of the claim: from the first to behind the last. */
const SLOT = { from: 0, to: 0 };

/** Adds what one side says in the place of what the other says: words without a partner in one slot. */
export function addConflicts(pair: ComparedPair, relation: Relation): void {
  const { claim, alignment, features } = pair;
  const { weights, kinds } = claim.words;
  let inserted = 0;
  let total = 0;
  let bounds = 0;
  for (let i = 0; i < alignment.claimCount; i++) {
    const weight = weights[claim.from + i] as number;
    total += weight;
    if ((alignment.partner[i] as number) >= 0) continue;
    const bits = kinds[claim.from + i] as number;
    const name = isName(claim, i);
    if ((bits & KIND.number) !== 0) bump(features, PAIR_INDEX.numberUnmatched, 1);
    else if ((bits & KIND.quantifier) !== 0) bounds++;
    if (name) bump(features, PAIR_INDEX.nameUnmatched, 1);
    findSlot(alignment, i);
    let filled = false;
    for (let j = SLOT.from; j < SLOT.to; j++) {
      if ((alignment.reverse[j] as number) >= 0) continue;
      filled = compareSlot(pair, i, j, name, relation) || filled;
    }
    if (!filled && (bits & KIND.function) === 0) inserted += weight;
    if (!filled) farOpposites(pair, i, relation);
  }
  features[PAIR_INDEX.quantifiersAdded] = Math.min(3, bounds);
  features[PAIR_INDEX.quantifiersLost] = Math.min(3, quantifiersLost(pair));
  features[PAIR_INDEX.insertedShare] = total === 0 ? 0 : inserted / total;
}

/** Words such as "only" or "most" that the source has, beside what the claim says, and the claim has not. */
function quantifiersLost({ source, alignment: { reverse, sourceCount } }: ComparedPair): number {
  const { kinds } = source.words;
  let lost = 0;
  for (let j = 0; j < sourceCount; j++) {
    if (((kinds[source.from + j] as number) & KIND.quantifier) === 0) continue;
    if ((reverse[j] as number) >= 0) continue;
    const before = j > 0 && (reverse[j - 1] as number) >= 0;
    const after = j + 1 < sourceCount && (reverse[j + 1] as number) >= 0;
    if (before || after) lost++;
  }
  return lost;
}

function bump(features: Float32Array, at: number, value: number): void {
  features[at] = (features[at] as number) + value;
}

/** Finds the words of the source between the partners of the nearest words that have one. */
function findSlot({ partner, displaced, claimCount, sourceCount }: Alignment, i: number): void {
  let left = -1;
  let right = sourceCount;
  for (let at = i - 1; at >= 0 && at >= i - REACH; at--) {
    if ((partner[at] as number) < 0 || displaced[at] === 1) continue;
    left = partner[at] as number;
    break;
  }
  for (let at = i + 1; at < claimCount && at <= i + REACH; at++) {
    if ((partner[at] as number) < 0 || displaced[at] === 1) continue;
    right = partner[at] as number;
    break;
  }
  SLOT.from = left < 0 ? Math.max(0, right - REACH) : left + 1;
  SLOT.to = left < 0 ? right : Math.min(right, left + 1 + MAX_SLOT);
  if (left < 0 && right === sourceCount) SLOT.to = SLOT.from;
}

function compareSlot(
  { claim, source, features }: ComparedPair,
  i: number,
  j: number,
  name: boolean,
  relation: Relation,
): boolean {
  const a = claim.words.entries[claim.from + i] as Entry;
  const b = source.words.entries[source.from + j] as Entry;
  const both = a.kinds & b.kinds;
  const bits = relation(a, b);
  if ((both & KIND.number) !== 0) bump(features, PAIR_INDEX.numberConflict, 1);
  else if ((bits & RELATION.opposite) !== 0) bump(features, PAIR_INDEX.opposites, 1);
  else if ((bits & RELATION.synonym) !== 0) return true;
  else if ((both & KIND.quantifier) !== 0) bump(features, PAIR_INDEX.quantifierConflict, 1);
  else if ((both & KIND.modal) !== 0) bump(features, PAIR_INDEX.modalConflict, 1);
  else if ((both & KIND.calendar) !== 0) bump(features, PAIR_INDEX.calendarConflict, 1);
  else if ((both & KIND.unit) !== 0) bump(features, PAIR_INDEX.unitConflict, 1);
  else if (((a.kinds | b.kinds) & KIND.function) !== 0) return false;
  else if ((bits & RELATION.topic) !== 0) bump(features, PAIR_INDEX.topicConflict, 1);
  else if (name && isName(source, j)) bump(features, PAIR_INDEX.nameConflict, 1);
  else bump(features, PAIR_INDEX.wordConflict, 1);
  return true;
}

/** The opposite of a word, anywhere in the source's sentence, that has no partner either. */
function farOpposites(
  { claim, source, alignment, features }: ComparedPair,
  i: number,
  relation: Relation,
): void {
  const a = claim.words.entries[claim.from + i] as Entry;
  if (!a.excludes) return;
  for (let j = 0; j < alignment.sourceCount; j++) {
    if ((alignment.reverse[j] as number) >= 0) continue;
    const b = source.words.entries[source.from + j] as Entry;
    if ((relation(a, b) & RELATION.opposite) === 0) continue;
    bump(features, PAIR_INDEX.opposites, 0.5);
    return;
  }
}

import type { PairFeature } from '../language/pair.ts';
import { PAIR_INDEX } from '../language/pair.ts';
import type { SourceFeature } from './source-features.ts';
import { SOURCE_FEATURES, SOURCE_INDEX } from './source-features.ts';

/** What is wrong with a claim, as far as it shows. */
export type HallucinationType =
  | 'number'
  | 'date'
  | 'entity'
  | 'negation'
  | 'quantity'
  | 'antonym'
  | 'role'
  | 'unsupported';

/** Places of features in those of a claim. */
function at(...names: (PairFeature | SourceFeature)[]): number[] {
  return names.map(
    (name) =>
      SOURCE_INDEX[name as SourceFeature] ??
      SOURCE_FEATURES.length + PAIR_INDEX[name as PairFeature],
  );
}

/** The first row with a feature above 0 names the type. */
const SIGNS: readonly (readonly [HallucinationType, readonly number[]])[] = [
  ['date', at('calendarConflict')],
  ['number', at('newNumbers', 'numberConflict', 'distantNumbers', 'earlyNumber', 'unitConflict')],
  ['negation', at('negationCount', 'negationFlips')],
  ['antonym', at('opposites')],
  ['entity', at('newNames', 'nameConflict', 'distantNames')],
  ['quantity', at('quantifierConflict', 'modalConflict')],
  ['role', at('exchanged', 'swapped')],
];

/** The type of a claim that was judged unfounded, from its features. */
export function errorTypeOf(features: Float32Array): HallucinationType {
  for (const [type, signs] of SIGNS) {
    for (const sign of signs) {
      if ((features[sign] as number) <= 0) continue;
      return type === 'antonym' && areQuantifiers(features) ? 'quantity' : type;
    }
  }
  return 'unsupported';
}

const [OPPOSITES = 0, ADDED = 0, LOST = 0] = at('opposites', 'quantifiersAdded', 'quantifiersLost');

/** Whether the opposites are two quantifiers, such as "some" and "all". */
function areQuantifiers(features: Float32Array): boolean {
  const [opposites, added, lost] = [OPPOSITES, ADDED, LOST].map((place) => features[place] ?? 0);
  return Math.min(added as number, lost as number) >= (opposites as number);
}

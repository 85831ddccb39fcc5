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

const REASONS: Readonly<Record<HallucinationType, string>> = {
  number: 'gives a number that the source does not give here',
  date: 'gives a date that the source does not give here',
  entity: 'names something that the source does not name here',
  negation: 'denies what the source affirms, or affirms what it denies',
  quantity: 'says another extent or certainty than the source',
  antonym: 'says the opposite of the source',
  role: 'has the parts of the statement in other places than the source',
  unsupported: 'is not borne out by the source',
};

/** The type of a claim that was judged unfounded, from its features. */
export function errorTypeOf(features: Float32Array): HallucinationType {
  for (const [type, signs] of SIGNS) {
    for (const sign of signs) if ((features[sign] as number) > 0) return type;
  }
  return 'unsupported';
}

/** Says in plain words what a type means. */
export function reasonFor(type: HallucinationType): string {
  return REASONS[type];
}

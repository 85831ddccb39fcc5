import { PAIR_INDEX, type PairFeature } from '../language/pair-features.ts';
import { SOURCE_FEATURES, type SourceFeature } from './claim-features.ts';

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

type Feature = PairFeature | SourceFeature;

/** The first row with a feature above 0 names the type. */
const SIGNS: readonly (readonly [HallucinationType, readonly Feature[]])[] = [
  ['date', ['calendarConflict']],
  ['number', ['newNumbers', 'numberConflict', 'strayNumbers', 'earlyNumber', 'unitConflict']],
  ['negation', ['denialCount', 'denialFlips']],
  ['antonym', ['opposites']],
  ['entity', ['newNames', 'nameConflict', 'strayNames']],
  ['quantity', ['quantifierConflict', 'modalConflict']],
  ['role', ['exchanged']],
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
  const sources: readonly string[] = SOURCE_FEATURES;
  for (const [type, signs] of SIGNS) {
    for (const sign of signs) {
      const own = sources.indexOf(sign);
      const at = own >= 0 ? own : SOURCE_FEATURES.length + PAIR_INDEX[sign as PairFeature];
      if ((features[at] as number) > 0) return type;
    }
  }
  return 'unsupported';
}

/** Says in plain words what a type means. */
export function reasonFor(type: HallucinationType): string {
  return REASONS[type];
}

import { PII_TYPES } from '../pii/pii-types.ts';
import { hide } from './hide.ts';

const MASKS: ReadonlyMap<string, ((value: string) => string) | undefined> = new Map(
  PII_TYPES.map(({ type, mask }) => [type, mask]),
);

/**
 * A mask of the same length and shape: letters and digits become asterisks, all else stays. A card and
 * a bank account keep their last four signs, a passport its last two, an e-mail address its first letter
 * and its last label, an IPv4 address its first number. A value that is not
 * written as its type usually is (such as an encoded one) keeps nothing.
 */
export function maskValue(type: string, value: string): string {
  return MASKS.get(type)?.(value) ?? hide(value);
}

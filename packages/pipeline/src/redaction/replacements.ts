import { lazyPattern } from '../lazy.ts';
import { PII_TYPES } from '../pii/pii-types.ts';
import { hide } from './hide.ts';

const SEPARATORS = lazyPattern('[^\\p{L}\\p{N}@.:]', 'gu');

/**
 * Numbered placeholders: `[TYPE_1]` for the first value of a type. Two spellings of one number, with
 * and without separators, are one value.
 */
export function createLabels(): (type: string, value: string) => string {
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  return (type, value) => {
    const plain = value.normalize('NFKC').toLowerCase().replace(SEPARATORS(), '');
    const key = `${type} ${plain}`;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const made = `[${type.toUpperCase()}_${count}]`;
    labels.set(key, made);
    return made;
  };
}

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

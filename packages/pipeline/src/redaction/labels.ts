import { lazyPattern } from '../lazy.ts';

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

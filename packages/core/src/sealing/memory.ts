import { sealedPrefix } from '../crypto/secret-box.ts';
import type { SealedValue } from './sealed-values.ts';

/** `SealedValues.list` over all sealed values of a kind that are in memory. */
export function listSealed(
  values: readonly SealedValue[],
  exceptKeyId: string,
  after: string,
  limit: number,
): SealedValue[] {
  return values
    .filter(({ id, sealed }) => id > after && !sealed.startsWith(sealedPrefix(exceptKeyId)))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .slice(0, limit);
}

import { sealedPrefix } from '../crypto/secret-box.ts';
import { byId } from '../storage/memory-rows.ts';
import type { SealedValue } from './sealed-values.ts';

/** `SealedValues.list` over all sealed values of a kind in memory. */
export function listSealed(
  values: readonly SealedValue[],
  exceptKeyId: string,
  after: string,
  limit: number,
): SealedValue[] {
  return values
    .filter(({ id, sealed }) => id > after && !sealed.startsWith(sealedPrefix(exceptKeyId)))
    .sort(byId)
    .slice(0, limit);
}

import { toUnit } from './nearest.ts';
import type { VectorChanges } from './types.ts';
import { requireLength } from './types.ts';

/** Changes as a store applies them. */
export interface UnitChanges {
  /** The length of the vectors of the collection from then on; 0 where it has had none. */
  readonly length: number;
  /** Vectors of length 1. */
  readonly upserts: ReadonlyArray<{
    readonly id: string;
    readonly vector: Float32Array;
    readonly category: string | null;
  }>;
  readonly removals: readonly string[];
}

/**
 * Changes with vectors of length 1; those of zeros, which are near to none, are removed.
 * @param known the length of the vectors of the collection; 0 where it has had none
 * @throws RangeError when a vector has another one
 */
export function toUnitChanges(known: number, { upserts, removals }: VectorChanges): UnitChanges {
  const length = known || (upserts[0]?.vector.length ?? 0);
  const stored = [];
  const removed = [...removals];
  for (const { id, vector, category = null } of upserts) {
    requireLength(vector, length);
    const unit = toUnit(vector);
    if (unit) stored.push({ id, vector: unit, category });
    else removed.push(id);
  }
  return { length, upserts: stored, removals: removed };
}

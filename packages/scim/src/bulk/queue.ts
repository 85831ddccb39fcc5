import type { BulkOperation } from './plan.ts';

/** The operations of a bulk request that have not been done. */
export interface BulkQueue {
  /**
   * Takes the first operation that refers to none in the queue; where all do, the first. Null when the queue is empty.
   */
  take(): BulkOperation | null;
  /** Whether the operation with this bulkId is in the queue. */
  has(bulkId: string): boolean;
}

/** Creates the queue. References are counted once, so that the time it takes grows with their number only. */
export function createBulkQueue(operations: readonly BulkOperation[]): BulkQueue {
  const waiting = new Set(operations);
  const byBulkId = new Map(operations.map((operation) => [operation.bulkId, operation]));
  const dependents = new Map<BulkOperation, BulkOperation[]>();
  const references = new Map<BulkOperation, number>();
  for (const operation of operations) {
    for (const bulkId of operation.references) {
      const other = byBulkId.get(bulkId);
      if (!other || other === operation) continue;
      const ofOther = dependents.get(other) ?? [];
      ofOther.push(operation);
      dependents.set(other, ofOther);
      references.set(operation, (references.get(operation) ?? 0) + 1);
    }
  }

  function next(): BulkOperation | undefined {
    for (const operation of waiting) if (!references.get(operation)) return operation;
    const [first] = waiting;
    return first;
  }

  return {
    take() {
      const operation = next();
      if (!operation) return null;
      waiting.delete(operation);
      for (const dependent of dependents.get(operation) ?? []) {
        references.set(dependent, (references.get(dependent) ?? 0) - 1);
      }
      return operation;
    },
    has(bulkId) {
      const operation = byBulkId.get(bulkId);
      return operation !== undefined && waiting.has(operation);
    },
  };
}

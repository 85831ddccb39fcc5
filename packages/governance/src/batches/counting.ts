import type { Runtime } from '@probity/core';
import type { BatchWrite } from '@probity/core/internal';
import type { BatchStorage } from './storage.ts';
import type { BatchCounts, BatchItemResult, ScanBatch } from './types.ts';

/** A result that was stored, to be counted in its batch. */
interface CountedResult {
  readonly batchId: string;
  readonly result: BatchItemResult;
}

/** Adds results to the counts of their batches, in the transaction that stores them. */
export type CountResults = BatchWrite<CountedResult>;

/**
 * Creates what counts results. The transaction that completes a batch emits `scan.completed`, and no other does.
 */
export function createCountResults(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  storage: BatchStorage,
): CountResults {
  return (tx, results) =>
    storage.transaction({ session: tx.session }, async (own) => {
      // In one order in every transaction, so that two of them do not wait for each other's rows.
      for (const [batchId, added] of [...countsOf(results)].sort(byBatch)) {
        const completed = await own.addCounts({ batchId, ...added }, clock.now());
        if (!completed) continue;
        const { id: scanId, total, allowed, flagged, blocked, errors } = completed;
        const data = { scanId, total, allowed, flagged, blocked, errors };
        await emit(own, causeOf(completed), 'scan.completed', data);
      }
    });
}

function countsOf(results: readonly CountedResult[]): Map<string, BatchCounts> {
  const counts = new Map<string, BatchCounts>();
  for (const { batchId, result } of results) {
    const held = counts.get(batchId) ?? { allowed: 0, flagged: 0, blocked: 0, errors: 0 };
    const name = result.status === 'completed' ? result.verdict : 'errors';
    counts.set(batchId, { ...held, [name]: held[name] + 1 });
  }
  return counts;
}

function byBatch([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function causeOf({ requestId, organizationId }: ScanBatch) {
  return { requestId, principal: { organizationId } };
}

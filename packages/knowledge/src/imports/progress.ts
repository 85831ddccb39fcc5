import type { CallContext, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST, toProbityError } from '@probity/core';
import type { KnowledgeStorage } from '../storage.ts';
import type { BatchResult } from './batch-import.ts';
import { ImportSum } from './sum.ts';
import type { ImportRecord, KnowledgeImport } from './types.ts';

/** The record of an import that is running. */
export interface ImportProgress {
  readonly importId: string;
  readonly sum: ImportSum;
  /** The record behind another batch, for the transaction that stores it. */
  recordWith(result: BatchResult): ImportRecord;
  /** Stores what was read so far. */
  store(): Promise<void>;
  /**
   * Does the work and ends the record: as completed, or as failed with the problem of what is thrown.
   * @throws what the work throws
   */
  endWith(work: () => Promise<void>): Promise<KnowledgeImport>;
}

/** Stores the record of a new import. */
export async function beginImport(
  { clock, ids, logger }: Runtime,
  storage: KnowledgeStorage,
  context: CallContext,
  facts: Pick<ImportRecord, 'format' | 'isStrict'>,
): Promise<ImportProgress> {
  const { organizationId } = context.principal;
  const sum = new ImportSum();
  const now = clock.now();
  const begun: ImportRecord = {
    ...{ id: ids.next('imp'), organizationId, ...facts, status: 'running', ...sum.toCounts() },
    ...{ problem: null, createdAt: now, updatedAt: now, endedAt: null },
  };
  await storage.transaction(context, (tx) => tx.insertImport(begun));

  // Refused rows are stored once, at the end.
  const running = (): ImportRecord => ({
    ...{ ...begun, ...sum.toCounts(), errors: [], updatedAt: clock.now() },
  });
  const write = (record: ImportRecord) =>
    // The caller's credential may have ended.
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateImport(record));
  const end = (status: 'completed' | 'failed', problem: string | null) => {
    const at = clock.now();
    const counts = sum.toCounts();
    return write({ ...begun, ...counts, status, problem, updatedAt: at, endedAt: at });
  };
  return {
    importId: begun.id,
    sum,
    recordWith: (result) => ({ ...running(), ...sum.countsWith(result) }),
    store: () => write(running()),
    async endWith(work) {
      try {
        await work();
      } catch (error) {
        const { message } = toProbityError(error);
        await end('failed', message).catch((failure: unknown) => {
          logger.warn('the end of an import was not stored', { error: failure });
        });
        throw error;
      }
      await end('completed', null);
      return { id: begun.id, ...sum.toCounts() };
    },
  };
}

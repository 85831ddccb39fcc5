import type { Page, PageOf, Storage, TransactionOf } from '@probity/core';
import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type {
  BatchCounts,
  BatchFilter,
  BatchItem,
  BatchItemFilter,
  BatchItemResult,
  ScanBatch,
  WaitingItem,
} from './types.ts';

/** Reads of batches. */
export interface BatchReads {
  /** Null when the organization has no such batch, or no longer has it. */
  findBatch(organizationId: string, id: string): Promise<ScanBatch | null>;
  /** The organization's batches that match `filter`, newest first, ties by descending id. */
  listBatches(organizationId: string, filter: BatchFilter, page: Page): Promise<PageOf<ScanBatch>>;
  /** Number of the organization's batches that are running. */
  countRunningBatches(organizationId: string): Promise<number>;
  /** The items of the organization's batch that match `filter`, by index. */
  listBatchItems(
    organizationId: string,
    batchId: string,
    filter: BatchItemFilter,
    page: Page,
  ): Promise<PageOf<BatchItem>>;
  /** Null when the item is not pending. */
  findWaitingItem(id: string): Promise<WaitingItem | null>;
  /** The sealed texts of pending items: see `SealedValues.list`. */
  listSealedItems(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Counts of a batch to add. */
export interface AddedCounts extends BatchCounts {
  readonly batchId: string;
}

/** An item to be stored: its texts are null where it is not pending. */
export interface NewBatchItem {
  readonly item: BatchItem;
  readonly sealed: string | null;
}

/** Writes of batches. */
export interface BatchWrites {
  /** Stores a batch. */
  insertBatch(batch: ScanBatch): Promise<void>;
  /** Stores items of a batch. */
  insertBatchItems(items: readonly NewBatchItem[]): Promise<void>;
  /**
   * Stores the result of an item and deletes its texts, if it is pending: of several callers at once one gets true.
   */
  finishItem(id: string, result: BatchItemResult): Promise<boolean>;
  /**
   * Adds to the counts of a running batch, and completes it when all of its items have a result then: of several callers
   * at once the last one gets the completed batch, and every other one null.
   */
  addCounts(added: AddedCounts, now: Date): Promise<ScanBatch | null>;
  /**
   * Cancels the pending items of a running batch, deletes their texts, and ends the batch. Null, without a change to the
   * batch, when it is not running; the transaction must then be rolled back.
   */
  cancelBatch(organizationId: string, id: string, now: Date): Promise<ScanBatch | null>;
  /** Deletes up to `limit` items of batches that ended before `before`; returns their number. */
  deleteItemsOfEnded(before: Date, limit: number): Promise<number>;
  /** Deletes up to `limit` batches that ended before `before`, with their items; returns their number. */
  deleteEndedBatches(before: Date, limit: number): Promise<number>;
  /** Stores the resealed texts of an item if its row still holds `from`. */
  replaceSealedItem(value: ReplacedValue): Promise<void>;
}

/** Storage of batches, on the database of the jobs. Batches are deleted with their organization. */
export type BatchStorage = Storage<BatchReads, BatchWrites>;

/** The operations within a transaction of the storage. */
export type BatchTransaction = TransactionOf<BatchStorage>;

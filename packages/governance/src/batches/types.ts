import type { FieldError } from '@probity/core';
import type { ScanRequest, Verdict } from '../scans/types.ts';

/** The most items of a batch (contract, section 7). */
export const MAX_BATCH_ITEMS = 1_000;

/**
 * Status of a batch:
 * - `running`: items wait, or are being scanned;
 * - `completed`: every item has a result;
 * - `canceled`: by a call; what had no result then gets none.
 */
export const BATCH_STATUSES = ['running', 'completed', 'canceled'] as const;

/** One of {@link BATCH_STATUSES}. */
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Status of an item: it waits, was scanned, could not be scanned, or was canceled before. */
export const BATCH_ITEM_STATUSES = ['pending', 'completed', 'failed', 'canceled'] as const;

/** One of {@link BATCH_ITEM_STATUSES}. */
export type BatchItemStatus = (typeof BATCH_ITEM_STATUSES)[number];

/** What is scanned as one item of a batch. Redacted texts are not kept, so there is no choice of their style. */
export type BatchItemRequest = Omit<ScanRequest, 'redaction'>;

/** A batch to be scanned in the background. */
export interface BatchRequest {
  /** 1 to {@link MAX_BATCH_ITEMS}. */
  readonly items: readonly BatchItemRequest[];
  /**
   * How many of the items, from the first on, may be scanned; the others fail with `RATE_LIMIT_EXCEEDED`. Default: all.
   */
  readonly allowance?: number | undefined;
}

/** Items with a result, by what it is. */
export interface BatchCounts {
  readonly allowed: number;
  readonly flagged: number;
  readonly blocked: number;
  /** Items that could not be scanned. */
  readonly errors: number;
}

/** A batch of scans, without its items. */
export interface ScanBatch extends BatchCounts {
  /** `scn_…`, as single scans. */
  readonly id: string;
  readonly organizationId: string;
  /** The member who submitted the batch. */
  readonly memberId: string;
  readonly keyId: string;
  /** The request that submitted it; the events of its scans name it. */
  readonly requestId: string;
  readonly status: BatchStatus;
  readonly total: number;
  /** Items that were canceled. */
  readonly canceled: number;
  readonly createdAt: Date;
  /** Null while it is running. */
  readonly endedAt: Date | null;
}

/** Why an item could not be scanned, as a single scan would have been answered. */
export interface BatchItemError {
  /** A code of the general API, such as `VALIDATION_ERROR`. */
  readonly code: string;
  readonly message: string;
  readonly details?: readonly FieldError[] | undefined;
}

/** An item of a batch, without its texts. */
export interface BatchItem {
  /** The id of the batch, and the index with leading zeros. */
  readonly id: string;
  readonly organizationId: string;
  readonly batchId: string;
  /** Index in the list that was submitted, from 0. */
  readonly index: number;
  readonly status: BatchItemStatus;
  /** The record of its scan, which retention may have deleted; null unless the status is `completed`. */
  readonly scanId: string | null;
  /** Null unless the status is `completed`. */
  readonly verdict: Verdict | null;
  /** Null unless the status is `failed`. */
  readonly error: BatchItemError | null;
}

/** An item with its texts, as it waits for its scan. */
export interface WaitingItem {
  readonly item: BatchItem;
  readonly batch: Pick<ScanBatch, 'memberId' | 'keyId' | 'requestId'>;
  /** JSON of its {@link BatchItemRequest}, sealed for {@link itemPurpose}. */
  readonly sealed: string;
}

/** Result of an item. */
export type BatchItemResult =
  | { readonly status: 'completed'; readonly scanId: string; readonly verdict: Verdict }
  | { readonly status: 'failed'; readonly error: BatchItemError };

/** The purpose for which the texts of an item are sealed. */
export function itemPurpose(id: string): string {
  return `scan_batch_item:${id}`;
}

/** Filter of a list of batches; all given conditions must hold. */
export interface BatchFilter {
  readonly keyId?: string | undefined;
  /** Batches submitted at this time or later. */
  readonly since?: Date | undefined;
  /** Batches submitted before this time. */
  readonly until?: Date | undefined;
}

/** Filter of a list of a batch's items. */
export interface BatchItemFilter {
  readonly status?: BatchItemStatus | undefined;
  readonly verdict?: Verdict | undefined;
}

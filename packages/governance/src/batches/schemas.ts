import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { scanItemRequest } from '../scans/request-schema.ts';
import { scanRecord, VERDICTS } from '../scans/schemas.ts';
import { withinSize } from '../scans/sizes.ts';
import type { BatchItem, ScanBatch } from './types.ts';
import { BATCH_ITEM_STATUSES, BATCH_STATUSES, MAX_BATCH_ITEMS } from './types.ts';

const ITEMS = `must be a list of 1 to ${MAX_BATCH_ITEMS.toLocaleString('en')} items`;

/** Body of `POST /governance/scans` (contract, section 7). */
export const batchRequest = z
  .strictObject({
    items: withinSize(
      MAX_BATCH_ITEMS,
      'items',
      z.array(scanItemRequest, ITEMS).min(1, ITEMS).max(MAX_BATCH_ITEMS, ITEMS),
    ).describe('What is scanned, each as by `POST /governance/scan`.'),
  })
  .meta({ id: 'ScanBatchRequest' });

const count = z.int().nonnegative();

const batchMembers = {
  id: z.string(),
  kind: z.enum(['batch']),
  status: z
    .enum(BATCH_STATUSES)
    .describe('`completed` once every item has a result; `canceled` by a call before that.'),
  total: count.describe('Number of items.'),
  pending: count.describe('Items that wait, or are being scanned.'),
  allowed: count,
  flagged: count,
  blocked: count,
  errors: count.describe('Items that could not be scanned.'),
  canceled: count,
  memberId: z.string(),
  keyId: z.string(),
  createdAt: timestamp,
  endedAt: timestamp.nullable().describe('Null while it is running.'),
};

/** A batch without its items. */
export const scanBatch = z.strictObject(batchMembers).meta({ id: 'ScanBatch' });

const resultMembers = {
  index: count.describe('Index in the list that was submitted.'),
  status: z.enum(BATCH_ITEM_STATUSES),
  scanId: z.string().nullable().describe('The record of its scan; null where it was not scanned.'),
  verdict: z.enum(VERDICTS).nullable(),
  error: z
    .strictObject({
      code: z.string().describe('A code of the API, such as `VALIDATION_ERROR`.'),
      message: z.string(),
      details: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
    })
    .nullable()
    .describe('Why it could not be scanned.'),
};

/** A batch with the results of its items. */
export const scanBatchDetail = z
  .strictObject({
    ...batchMembers,
    results: z
      .array(z.strictObject(resultMembers).meta({ id: 'ScanBatchResult' }))
      .describe('All items by index. `GET /governance/scans/{batch_id}/items` has their findings.'),
  })
  .meta({ id: 'ScanBatchDetail' });

/** An item with the record of its scan. */
export const batchItem = z
  .strictObject({
    ...resultMembers,
    scan: scanRecord
      .nullable()
      .describe('Null where it was not scanned, and once the record was deleted.'),
  })
  .meta({ id: 'ScanBatchItem' });

/** A batch on the wire. */
export function toBatchWire(batch: ScanBatch): z.infer<typeof scanBatch> {
  const { total, allowed, flagged, blocked, errors, canceled } = batch;
  return {
    id: batch.id,
    kind: 'batch',
    status: batch.status,
    total,
    pending: total - allowed - flagged - blocked - errors - canceled,
    ...{ allowed, flagged, blocked, errors, canceled },
    memberId: batch.memberId,
    keyId: batch.keyId,
    createdAt: batch.createdAt.toISOString(),
    endedAt: batch.endedAt?.toISOString() ?? null,
  };
}

/** The result of an item on the wire. */
export function toResultWire({ index, status, scanId, verdict, error }: BatchItem) {
  return {
    ...{ index, status, scanId, verdict },
    error: error && {
      code: error.code,
      message: error.message,
      ...(error.details ? { details: [...error.details] } : {}),
    },
  };
}

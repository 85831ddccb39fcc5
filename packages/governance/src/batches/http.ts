import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, oneOf, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { faultsOfMessages } from '../scans/content.ts';
import { toScanRecordWire } from '../scans/record-http.ts';
import { VERDICTS } from '../scans/schemas.ts';
import type { Batches, ScannedItem } from './batches.ts';
import { batchItem, batchRequest, scanBatch, toBatchWire, toResultWire } from './schemas.ts';
import type { BatchItemRequest } from './types.ts';
import { BATCH_ITEM_STATUSES, MAX_BATCH_ITEMS } from './types.ts';

/** Largest body of a batch in bytes, as of a single scan. */
const BATCH_BODY_LIMIT = 10_485_760;

const shared = { tag: 'Governance', rateLimit: 'general' } as const;
const params = z.strictObject({ batch_id: z.string() });

const itemQuery = pageQuery.extend({
  status: oneOf(BATCH_ITEM_STATUSES).optional(),
  verdict: oneOf(VERDICTS).optional(),
});

/** Declares the endpoints of batches, beside those that they share with single scans. */
export function batchEndpoints(batches: Batches): Endpoint[] {
  return [createEndpoint(batches), itemsEndpoint(batches), cancelEndpoint(batches)];
}

function createEndpoint(batches: Batches): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/governance/scans',
    operationId: 'createScanBatch',
    summary: 'Scan a batch in the background',
    description:
      'Stores up to 1,000 items, encrypted, and scans them in the background, each by the policies that are in force then. ' +
      '`GET /governance/scans/{scan_id}` shows progress and results; the event `scan.completed` follows once all items have ' +
      'one. An item that cannot be scanned is a result of its own and fails no other. Every item consumes one unit of the quota ' +
      '`gateway_scans`; where fewer remain, the items beyond them fail with `RATE_LIMIT_EXCEEDED`. An organization can have ' +
      '100 batches running; the next one is refused with 409.',
    permission: 'scans:create',
    quota: 'gateway_scans',
    quotaUnits: ({ items }) => items.length,
    isQuotaPartial: true,
    bodyLimit: BATCH_BODY_LIMIT,
    body: batchRequest,
    async faultsOfBody(body) {
      const { items } = (body ?? {}) as { readonly items?: unknown };
      if (!Array.isArray(items) || items.length > MAX_BATCH_ITEMS) return [];
      const prefixes = items.map((_, index) => `items.${index}.`);
      return faultsOfMessages(items, prefixes);
    },
    responses: { 202: { description: 'The batch is stored.', schema: dataObject(scanBatch) } },
    errors: ['conflict'],
    async handler({ context, body: { items }, units, reply }) {
      // `faultsOfBody` has checked the messages.
      const checked = items as readonly BatchItemRequest[];
      const batch = await batches.submit(context, { items: checked, allowance: units });
      return reply(202, { data: toBatchWire(batch) });
    },
  });
}

function itemsEndpoint(batches: Batches): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/governance/scans/{batch_id}/items',
    operationId: 'listScanBatchItems',
    summary: 'List the items of a batch with their scans',
    description:
      'Lists the items of a batch by index, each with the record of its scan: all, or those that match every filter.',
    permission: 'scans:read',
    params,
    query: itemQuery,
    responses: { 200: { description: 'A page of items', schema: dataList(batchItem) } },
    async handler({ context, params: { batch_id: id }, query, reply }) {
      const { limit, offset, ...filter } = query;
      const { items, total } = await batches.scannedItems(context, id, filter, { limit, offset });
      return reply(200, { data: items.map(toItemWire), ...toPageInfo(query, total) });
    },
  });
}

function cancelEndpoint(batches: Batches): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/governance/scans/{batch_id}/cancel',
    operationId: 'cancelScanBatch',
    summary: 'Cancel a batch',
    description:
      'Ends a batch: items without a result are not scanned any more, and their texts are deleted. Results stay, and consumed quota ' +
      'is not given back. `scan.completed` is not sent. If the batch has ended, the answer is 409.',
    permission: 'scans:create',
    params,
    responses: { 200: { description: 'The canceled batch', schema: dataObject(scanBatch) } },
    errors: ['conflict'],
    async handler({ context, params: { batch_id: id }, reply }) {
      return reply(200, { data: toBatchWire(await batches.cancel(context, id)) });
    },
  });
}

function toItemWire(item: ScannedItem): z.infer<typeof batchItem> {
  return { ...toResultWire(item), scan: item.scan && toScanRecordWire(item.scan) };
}

import { defineMemoryTable } from '@probity/core/internal';
import type { Delivery, DeliveryRequest } from './types.ts';

/** A delivery as stored. */
export interface StoredDelivery extends Delivery {
  readonly lastRequest: DeliveryRequest | null;
}

/** The table of deliveries. */
export const DELIVERIES = defineMemoryTable<StoredDelivery>('webhook_deliveries', 'organizationId');

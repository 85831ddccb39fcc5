import { defineMemoryTable } from '@probity/core/internal';
import type { Delivery } from './types.ts';

/** The table of deliveries. */
export const DELIVERIES = defineMemoryTable<Delivery>('webhook_deliveries', 'organizationId');

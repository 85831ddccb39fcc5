import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeSchema } from '../events/catalog.ts';
import { DELIVERY_STATUSES } from './types.ts';

/** The members of a filter of deliveries, over HTTP and in code. */
export function deliveryFilterMembers(eventTypes: EventCatalog) {
  const status = z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`);
  return { status: status.optional(), eventType: eventTypeSchema(eventTypes).optional() };
}

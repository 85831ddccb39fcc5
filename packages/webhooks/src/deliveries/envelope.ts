import type { EventRecord } from '@probity/core';

/**
 * The request body for an event: `{id, type, timestamp, data}` (specification, "Webhook event
 * envelope"). It depends on the stored event alone, so it is the same at every attempt.
 */
export function toEnvelope({ id, type, createdAt, data }: EventRecord): string {
  return JSON.stringify({ id, type, timestamp: createdAt.toISOString(), data });
}

import type { EventRecord, NewJob } from '@probity/core';
import type { Integration } from '../integrations/types.ts';

/** The queue of alerts that are sent to external systems. */
export const ROUTING_QUEUE = 'integrations.route';

/** The job that sends the alert of an event to one system; an integration is a group. */
export function routingJob({ id, organizationId }: Integration, event: EventRecord): NewJob {
  return {
    id: `route_${event.id}_${id}`,
    queue: ROUTING_QUEUE,
    tenantId: organizationId,
    group: id,
    payload: { organizationId, integrationId: id, eventId: event.id },
    dueAt: event.createdAt,
  };
}

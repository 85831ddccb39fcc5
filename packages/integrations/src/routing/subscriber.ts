import type { EventSubscriber } from '@probity/core';
import type { IntegrationsStorage } from '../storage.ts';
import { alertOf } from './alert.ts';
import { routingJob } from './queue.ts';

/** The name of the subscriber, which is also that of its queue of events. */
export const SUBSCRIBER_NAME = 'integrations';

/** Turns each new alert into one job for every integration that has its severity in the routing. */
export function createRoutingSubscriber({
  storage,
}: {
  readonly storage: IntegrationsStorage;
}): EventSubscriber {
  return {
    name: SUBSCRIBER_NAME,
    async receive(event, { session }) {
      const alert = alertOf(event);
      if (!alert) return;
      await storage.transaction({ session }, async (tx) => {
        const routed = await tx.listRouted(event.organizationId);
        const wanted = routed.filter(({ routing }) => routing?.severities.includes(alert.severity));
        if (wanted.length === 0) return;
        await tx.enqueueJobs(wanted.map((integration) => routingJob(integration, event)));
      });
    },
  };
}

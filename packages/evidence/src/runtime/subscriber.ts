import type { EventSubscriber, Runtime } from '@probity/core';
import { createUuid, runtimeSummary } from '@probity/core/internal';
import { createEvidenceAppender } from '../records/append.ts';
import type { EvidenceStorage } from '../storage.ts';
import { toRuntimeEvidence } from './record.ts';

/** The name of the subscriber, which is also that of its queue of events. */
const SUBSCRIBER_NAME = 'evidence';

/** The cursor of the part that writes. */
const WRITE = 'write';

/**
 * Turns each `runtime.summarized` into one record: for a day of an AI system the first summary counts, and a repeated
 * event creates nothing. An event whose data are no summary is logged and left.
 */
export function createRuntimeSubscriber(
  runtime: Runtime,
  { storage }: { readonly storage: EvidenceStorage },
): EventSubscriber {
  const { clock, random, logger } = runtime;
  const appender = createEvidenceAppender(runtime);
  return {
    name: SUBSCRIBER_NAME,
    async receive({ id: eventId, type, organizationId, data }, { session }, after) {
      if (type !== 'runtime.summarized') return undefined;
      // Alone in a transaction: one that took the locks of several organizations could wait for another.
      if (after === undefined) return WRITE;
      const { data: summary, error } = runtimeSummary.safeParse(data);
      if (!summary) {
        logger.error('an event has no runtime summary', { event_id: eventId, error });
        return undefined;
      }
      await storage.withTenantLock({ session }, organizationId, async (tx) => {
        const { aiSystemId } = summary;
        const found = aiSystemId && (await tx.findAiSystem(organizationId, aiSystemId));
        const record = toRuntimeEvidence(summary, {
          ...{ id: createUuid({ clock, random }), organizationId, createdAt: clock.now() },
          aiSystemId: found ? found.id : null,
        });
        const [created] = await appender.append(tx, organizationId, [record]);
        if (!created) logger.info('a runtime summary is on record already', { event_id: eventId });
      });
      return undefined;
    },
  };
}

import type { Clock } from '../clock.ts';
import type { CallContext } from '../context.ts';
import type { EventMap } from '../contract/events.ts';
import type { InternalEventMap } from '../contract/internal-events.ts';
import type { Ids } from '../ids.ts';
import type { EventRecord } from './events.ts';
import type { Outbox } from './storage.ts';

/** The cause of an event: a call, or work for an organization without a request. */
export interface EventCause {
  readonly requestId: string | null;
  readonly principal: Pick<CallContext['principal'], 'organizationId'>;
}

/** Appends an event to the outbox of a transaction; the event exists if and only if it commits. */
export type Emit = <Type extends keyof (EventMap & InternalEventMap)>(
  tx: { readonly outbox: Pick<Outbox, 'append'> },
  context: EventCause,
  type: Type,
  data: (EventMap & InternalEventMap)[Type],
) => Promise<EventRecord>;

/** Creates the function that appends events. */
export function createEmit({ ids, clock }: { ids: Ids; clock: Clock }): Emit {
  return async (tx, { principal, requestId }, type, data) => {
    const { organizationId } = principal;
    const id = ids.next('evt');
    const event: EventRecord = {
      id,
      organizationId,
      type,
      data,
      requestId,
      createdAt: clock.now(),
    };
    await tx.outbox.append(event);
    return event;
  };
}

import type { CallContext } from '../context.ts';
import type { EventMap, EventType } from '../contract/events.ts';

/** A stored event. */
export interface EventRecord<Type extends EventType = EventType> {
  /** `evt_…`; receivers recognise a repeated delivery by it. */
  readonly id: string;
  readonly organizationId: string;
  readonly type: Type;
  readonly data: EventMap[Type];
  /** The request that caused the event. */
  readonly requestId: string | null;
  readonly createdAt: Date;
}

/** Builds the event that a service call causes. */
export function eventOf<Type extends EventType>(
  context: CallContext,
  event: { id: string; type: Type; data: EventMap[Type]; createdAt: Date },
): EventRecord<Type> {
  return {
    ...event,
    organizationId: context.principal.organizationId,
    requestId: context.requestId,
  };
}

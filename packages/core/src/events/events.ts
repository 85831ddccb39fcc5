import type { EventMap, EventType } from '../contract/events.ts';

/** The data of an event: an object of JSON values. */
type EventData = Readonly<Record<string, unknown>>;

/**
 * A stored event: one of Probity's, with data described by {@link EventMap}, or one published by a
 * host, of any type `noun.verb-in-past`.
 */
export interface EventRecord<Type extends string = string> {
  /** `evt_…`; receivers use it to detect a repeated delivery. */
  readonly id: string;
  readonly organizationId: string;
  readonly type: Type;
  readonly data: Type extends EventType ? EventMap[Type] : EventData;
  /** The request that caused the event. */
  readonly requestId: string | null;
  readonly createdAt: Date;
  /** True for a sample that was sent to try a receiver: nothing happened, and no subscriber gets it. */
  readonly isTest?: true;
}

const EVENT_TYPE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;
const MAX_EVENT_TYPE_LENGTH = 100;

/** Whether the text is a well-formed event type, such as `order.shipped`. */
export function isEventType(text: string): boolean {
  return text.length <= MAX_EVENT_TYPE_LENGTH && EVENT_TYPE.test(text);
}

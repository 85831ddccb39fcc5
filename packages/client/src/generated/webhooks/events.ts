// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import type { ProbityEvents as EventMap } from '../schemas.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** The data of Probity's own events, by type. */
export type ProbityEvents = EventMap;

/**
 * An event as a receiver gets it: a union over the types, which `event.type` tells apart.
 * `Events` has the data by type: {@link ProbityEvents}, {@link EventsOf} a catalog, or a type of the
 * receiver's own, such as `ProbityEvents & { 'order.shipped': { orderId: string } }`.
 */
export type WebhookEvent<Events extends object = ProbityEvents> = {
  readonly [Type in keyof Events & string]: {
    /** `evt_…`, the same at every attempt and for every webhook. */
    readonly id: string;
    readonly type: Type;
    /** When the event happened: ISO 8601, UTC. */
    readonly timestamp: string;
    readonly data: Events[Type];
  };
}[keyof Events & string];

/** The data of the events of a catalog, by type: from its schemas, or from its examples without one. */
export type EventsOf<Catalog extends object> = {
  -readonly [Type in keyof Catalog]: Catalog[Type] extends {
    readonly schema: { readonly '~standard': { readonly types?: infer Types } };
  }
    ? NonNullable<Types> extends { readonly output: infer Data }
      ? Data
      : never
    : Catalog[Type] extends { readonly example: infer Data }
      ? Data
      : never;
};

/**
 * The event in a verified body.
 * @throws WebhookVerificationError `body_not_event`
 */
export function parseEvent(body: Uint8Array): unknown {
  const event = parseJson(body);
  if (isEvent(event)) return event;
  throw new WebhookVerificationError(
    'body_not_event',
    'The body is signed, but has no id, type, timestamp and data.',
  );
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('body_not_event', 'The body is signed, but is not JSON.', {
      cause,
    });
  }
}

function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, timestamp, data } = value as Readonly<Record<string, unknown>>;
  const areTexts = [id, type, timestamp].every((each) => typeof each === 'string');
  return areTexts && typeof data === 'object' && data !== null;
}

import type {
  Clock,
  EventCause,
  EventRecord,
  FieldError,
  Runtime,
  TransactionScope,
} from '@probity/core';
import { notFound, OUTSIDE_REQUEST, ProbityError, validationError } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { EventCatalog } from './catalog.ts';
import { unknownTypeMessage } from './catalog.ts';

/** An event for the host to publish. */
export interface NewEvent {
  /** An event type of the catalog. */
  readonly type: string;
  /** JSON; checked by the type's schema where it has one. */
  readonly data: object;
  /**
   * `evt_` and 1 to 64 letters, digits, `_` or `-`: publishing the same id again stores nothing.
   * Default: a new one.
   */
  readonly id?: string | undefined;
}

/** Publishes an event; see `Webhooks.publish`. */
export type Publish = (
  cause: EventCause,
  event: NewEvent,
  scope?: TransactionScope,
) => Promise<EventRecord>;

/** Largest data of an event, in bytes of JSON. */
export const MAX_EVENT_BYTES = 1_048_576;

const EVENT_MEMBERS = ['type', 'data', 'id'];
const EVENT_ID = /^evt_[0-9A-Za-z_-]{1,64}$/;

/** Creates the function that publishes events. */
export function createPublish(
  { ids, clock, tenants }: Runtime,
  storage: WebhookStorage,
  catalog: EventCatalog,
): Publish {
  const timeOf = createEventTimes(clock);
  return async (cause, given, scope) => {
    requireContext('publish', cause);
    requireKnownOptions('publish', given, EVENT_MEMBERS);
    const { type, data: givenData, id } = given;
    if (id !== undefined && !EVENT_ID.test(id)) {
      throw validationError({ field: 'id', message: WRONG_ID });
    }
    const data = toEventData(catalog, type, givenData);
    const eventId = id ?? ids.next('evt');
    const event: EventRecord = {
      id: eventId,
      organizationId: cause.principal.organizationId,
      type,
      data,
      requestId: cause.requestId,
      createdAt: timeOf(eventId, id !== undefined),
    };
    return storage.transaction(scope ?? scopeOf(cause), async (tx) => {
      if (!(await tx.hasTenant(event.organizationId))) {
        if (!tenants) throw notFound('organization');
        await tx.ensureTenant(event.organizationId);
      }
      if (id !== undefined) return appendOnce(tx, event);
      await tx.outbox.append(event);
      return event;
    });
  };
}

/** Milliseconds by which the time of an event may be ahead of the clock. */
const MAX_AHEAD_MS = 1_000;

/**
 * Times of events in the order of publication, so that it is their order by time and then id. Within a millisecond
 * generated ids increase; one that the host gives takes a millisecond of its own, unless it is published again.
 */
function createEventTimes(clock: Clock): (id: string, isGiven: boolean) => Date {
  let last = { ms: Number.NEGATIVE_INFINITY, id: '', isGiven: false };
  return (id, isGiven) => {
    const nowMs = clock.now().getTime();
    // A clock that was set back by more counts.
    const isRecent = nowMs <= last.ms && last.ms - nowMs < MAX_AHEAD_MS;
    const isSorted = id === last.id || !(isGiven || last.isGiven);
    const ms = isRecent ? last.ms + (isSorted ? 0 : 1) : nowMs;
    last = { ms, id, isGiven };
    return new Date(ms);
  };
}

const WRONG_ID = 'must be evt_ followed by 1 to 64 letters, digits, _ or -';

/** A call that belongs to a request joins its unit of work. */
function scopeOf(cause: EventCause): TransactionScope {
  return 'unit' in cause ? (cause as TransactionScope) : OUTSIDE_REQUEST;
}

async function appendOnce(tx: WebhookTransaction, event: EventRecord): Promise<EventRecord> {
  const stored = await tx.outbox.appendOnce(event);
  const isSame = stored.organizationId === event.organizationId && stored.type === event.type;
  if (isSame) return stored;
  throw new ProbityError('conflict', `The event id ${event.id} belongs to another event.`);
}

/** Checks the data and returns it as stored and sent. @throws ProbityError `validation_failed` */
function toEventData(catalog: EventCatalog, type: string, data: object): EventRecord['data'] {
  const definition = Object.hasOwn(catalog, type) ? catalog[type] : undefined;
  if (!definition) throw validationError({ field: 'type', message: unknownTypeMessage(catalog) });
  const parsed = definition.schema?.safeParse(data);
  if (parsed && !parsed.success) throw validationError(...parsed.error.issues.map(toFieldError));
  const json = toJson(parsed?.data ?? data);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_EVENT_BYTES) {
    const message = `is ${bytes} bytes of JSON, more than the ${MAX_EVENT_BYTES} of an event`;
    throw validationError({ field: 'data', message });
  }
  return JSON.parse(json) as EventRecord['data'];
}

function toFieldError({ path, message }: { path: PropertyKey[]; message: string }): FieldError {
  return { field: ['data', ...path].map(String).join('.'), message };
}

function toJson(data: object): string {
  const json = tryJson(data);
  if (json?.startsWith('{')) return json;
  throw validationError({ field: 'data', message: 'must be an object of JSON values' });
}

function tryJson(data: object): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

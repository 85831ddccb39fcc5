import type { CallContext, EventRecord, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { validate } from '@probity/core/internal';
import { z } from 'zod';
import { pageInput } from '../page-input.ts';

/** A period of stored events. */
export interface StoredEventFilter {
  /** Earliest time of the events, inclusive. */
  readonly since?: Date | undefined;
  /** Latest time of the events, exclusive. */
  readonly until?: Date | undefined;
}

/** A stored event, without its data. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  /** Whether it is a test, which was sent to one webhook alone. */
  readonly isTest: boolean;
}

/** The events of an organization, whether or not a webhook lists their types. */
export interface StoredEvents {
  /** The organization's events, newest first. An event whose transaction is longer may appear behind newer ones. */
  listEvents(
    context: CallContext,
    filter: StoredEventFilter,
    page: Page,
  ): Promise<PageOf<StoredEvent>>;
  /** @throws ProbityError `not_found` when the organization has no such event (any more) */
  getEvent(context: CallContext, id: string): Promise<EventRecord>;
}

/** Creates the service of stored events. */
export function createStoredEvents({ database }: Runtime): StoredEvents {
  const filterInput = z.strictObject({
    since: z.date('must be a Date').optional(),
    until: z.date('must be a Date').optional(),
  });
  return {
    async listEvents({ principal: { organizationId } }, given, givenPage) {
      const filter = validate(filterInput, given, 'filter');
      const page = validate(pageInput, givenPage, 'page');
      return database.kernel(database.reader).listEvents(organizationId, filter, page);
    },
    async getEvent({ principal: { organizationId } }, id) {
      const event = await database.kernel(database.reader).findEvent(id);
      if (event?.organizationId !== organizationId) throw notFound('event');
      return event;
    },
  };
}

import type { AuditFields, CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { changedFields } from '@probity/core/internal';
import type { SampleStorage } from '../storage.ts';
import type { NewThing, Thing, ThingChanges } from './types.ts';

/** The ~things~ of an organization. */
export interface Things {
  create(context: CallContext, input: NewThing): Promise<Thing>;
  /** Oldest first. */
  list(context: CallContext, page: Page): Promise<PageOf<Thing>>;
  /** @throws ProbityError `not_found` when the organization has no ~thing~ of this id */
  get(context: CallContext, id: string): Promise<Thing>;
  /** @throws ProbityError `not_found` */
  update(context: CallContext, id: string, changes: ThingChanges): Promise<Thing>;
  /** @throws ProbityError `not_found` */
  remove(context: CallContext, id: string): Promise<void>;
}

/** What the service needs beside a runtime. */
export interface ThingOptions {
  readonly storage: SampleStorage;
}

/** Creates the service over ~things~. */
export function createThings({ audit, ids, clock }: Runtime, { storage }: ThingOptions): Things {
  return {
    list: ({ principal }, page) => storage.listThings(principal.organizationId, page),
    async get({ principal }, id) {
      return requireThing(await storage.findThing(principal.organizationId, id));
    },

    async create(context, { name }) {
      const { organizationId } = context.principal;
      const thing: Thing = { id: ids.next('idp'), organizationId, name, createdAt: clock.now() };
      await storage.transaction(context, async (tx) => {
        await tx.insertThing(thing);
        const after = auditFieldsOf(thing);
        await audit.record(tx, context, '__thing__.created', targetOf(thing.id), { after });
      });
      return thing;
    },

    async update(context, id, changes) {
      const { organizationId } = context.principal;
      // Under the lock, so that the state that is recorded is the one that is changed.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireThing(await tx.findThing(organizationId, id));
        const after = requireThing(await tx.updateThing(organizationId, id, changes));
        const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
        if (Object.keys(change.after).length > 0) {
          await audit.record(tx, context, '__thing__.updated', targetOf(id), change);
        }
        return after;
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const thing = requireThing(await tx.findThing(organizationId, id));
        await tx.deleteThing(organizationId, id);
        const before = auditFieldsOf(thing);
        await audit.record(tx, context, '__thing__.deleted', targetOf(id), { before });
      });
    },
  };
}

/** The fields of a ~thing~ in the audit log. */
function auditFieldsOf({ name }: Thing): AuditFields {
  return { name };
}

function targetOf(id: string) {
  return { type: '__thing__', id };
}

function requireThing(thing: Thing | null): Thing {
  if (!thing) throw notFound('~thing~');
  return thing;
}

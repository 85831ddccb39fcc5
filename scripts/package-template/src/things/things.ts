import type { AuditFields, CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { changedFields } from '@probity/core/internal';
import type { SampleStorage } from '../storage.ts';
import type { NewThing, Thing, ThingChanges } from './types.ts';

/** Service for the ~things~ of the caller's organization. */
export interface Things {
  /** Creates a ~thing~ and records it in the audit log in the same transaction. */
  create(context: CallContext, input: NewThing): Promise<Thing>;
  /** Returns one page of ~things~, oldest first. */
  list(context: CallContext, page: Page): Promise<PageOf<Thing>>;
  /** @throws ProbityError `not_found` when the organization has no ~thing~ with this id */
  get(context: CallContext, id: string): Promise<Thing>;
  /**
   * Updates the given fields and returns the updated ~thing~.
   * @throws ProbityError `not_found` when the organization has no ~thing~ with this id
   */
  update(context: CallContext, id: string, changes: ThingChanges): Promise<Thing>;
  /** @throws ProbityError `not_found` when the organization has no ~thing~ with this id */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Options of {@link createThings}. */
export interface ThingOptions {
  readonly storage: SampleStorage;
}

/** Creates the service for ~things~. */
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
      // Under the lock no other update changes the ~thing~ between the read and the write, so that
      // the audit entry has the true previous fields.
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

/** Fields of a ~thing~ that the audit log records. */
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

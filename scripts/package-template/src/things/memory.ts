import type { MemorySession } from '@probity/core';
import { byCreation, defineMemoryTable, owned, pageOf } from '@probity/core/internal';
import type { ThingReads, ThingWrites } from './storage.ts';
import type { Thing } from './types.ts';

const TABLE = defineMemoryTable<Thing>('__things__', 'organizationId');

/** Implements reads and writes of ~things~ in memory. */
export function createThingOperations(session: MemorySession): ThingReads & ThingWrites {
  const things = () => session.table(TABLE);
  return {
    async listThings(organizationId, page) {
      const own = things().filter((thing) => thing.organizationId === organizationId);
      return pageOf(own, page, byCreation);
    },
    async findThing(organizationId, id) {
      return owned(things(), organizationId, id);
    },
    async insertThing(thing) {
      things().put(thing.id, thing);
    },
    async updateThing(organizationId, id, { name }) {
      const thing = owned(things(), organizationId, id);
      if (!thing) return null;
      const changed: Thing = { ...thing, ...(name === undefined ? {} : { name }) };
      things().put(id, changed);
      return changed;
    },
    async deleteThing(organizationId, id) {
      return owned(things(), organizationId, id) !== null && things().delete(id);
    },
  };
}

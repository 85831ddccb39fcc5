import type { SqlSession } from '@probity/core/sql';
import { countChanges, pageOf, prepareInsert, toDate } from '@probity/core/sql';
import type { ThingReads, ThingWrites } from './storage.ts';
import type { Thing } from './types.ts';

interface ThingTables {
  probity___things__: ThingRow;
}

/** Times are milliseconds since 1970. */
interface ThingRow {
  id: string;
  organization_id: string;
  name: string;
  created_at: number;
}

const insertThing = prepareInsert<ThingRow>('probity___things__', [
  'id',
  'organization_id',
  'name',
  'created_at',
]);

/** Reads of ~things~ on a SQL session. */
export function createThingReads(session: SqlSession): ThingReads {
  const thingsOf = (organizationId: string) =>
    session
      .kysely<ThingTables>()
      .selectFrom('probity___things__')
      .selectAll()
      .where('organization_id', '=', organizationId);
  return {
    listThings(organizationId, page) {
      const oldest = thingsOf(organizationId).orderBy('created_at').orderBy('id');
      return pageOf(oldest, page, toThing);
    },
    async findThing(organizationId, id) {
      const row = await thingsOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toThing(row) : null;
    },
  };
}

/** Changes of ~things~ on a SQL session. */
export function createThingWrites(session: SqlSession): ThingWrites {
  const db = () => session.kysely<ThingTables>();
  return {
    insertThing: (thing) => insertThing(session, toRow(thing)),
    async updateThing(organizationId, id, { name }) {
      const row = await db()
        .updateTable('probity___things__')
        // With the id, since SQL has no update of no column.
        .set({ id, ...(name === undefined ? {} : { name }) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? toThing(row) : null;
    },
    async deleteThing(organizationId, id) {
      const deletion = db()
        .deleteFrom('probity___things__')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      return (await countChanges(deletion)) > 0;
    },
  };
}

function toRow(thing: Thing): ThingRow {
  return {
    id: thing.id,
    organization_id: thing.organizationId,
    name: thing.name,
    created_at: thing.createdAt.getTime(),
  };
}

function toThing(row: ThingRow): Thing {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    createdAt: toDate(row.created_at),
  };
}

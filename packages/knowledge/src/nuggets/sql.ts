import type { SqlSession } from '@probity/core/sql';
import {
  countChanges,
  countRows,
  equalityPaths,
  insertMany,
  pageOfPaths,
  toDate,
} from '@probity/core/sql';
import { sql } from 'kysely';
import { contentKeyOf } from './content-key.ts';
import type { NuggetReads, NuggetWrites } from './storage.ts';
import type { Nugget } from './types.ts';

/** Times are milliseconds since 1970. */
interface NuggetRow {
  id: string;
  organization_id: string;
  content_key: string;
  claim: string;
  source_url: string;
  category: string | null;
  confidence: number | null;
  created_at: number;
  updated_at: number;
  sequence: number;
}

interface RemovalRow {
  organization_id: string;
  sequence: number;
  nugget_id: string;
  removed_at: number;
}

interface KnowledgeTables {
  probity_nuggets: NuggetRow;
  probity_knowledge_heads: { organization_id: string; sequence: number; nuggets: number };
  probity_nugget_removals: RemovalRow;
}

/** Reads nuggets on a SQL session. */
export function createNuggetReads(session: SqlSession): NuggetReads {
  const db = () => session.kysely<KnowledgeTables>();
  const nuggetsOf = (organizationId: string) =>
    db().selectFrom('probity_nuggets').selectAll().where('organization_id', '=', organizationId);
  return {
    listNuggets(organizationId, filter, page) {
      const { category, sourceUrl } = filter;
      const oldest = nuggetsOf(organizationId).orderBy('created_at').orderBy('id');
      return pageOfPaths(
        equalityPaths(oldest, { category, source_url: sourceUrl }),
        page,
        toNugget,
      );
    },
    async findNugget(organizationId, id) {
      const row = await nuggetsOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toNugget(row) : null;
    },
    async findNuggets(organizationId, ids) {
      if (ids.length === 0) return [];
      // SQLite would read every nugget of the organization to compare its id.
      const rows = await db()
        .selectFrom('probity_nuggets')
        .selectAll()
        .where('id', 'in', ids)
        .execute();
      return rows.filter((row) => row.organization_id === organizationId).map(toNugget);
    },
    async findNuggetsByKeys(organizationId, keys) {
      if (keys.length === 0) return [];
      const rows = await nuggetsOf(organizationId).where('content_key', 'in', keys).execute();
      return rows.map(toNugget);
    },
    async findKnowledgeExtent(organizationId) {
      const row = await db()
        .selectFrom('probity_knowledge_heads')
        .select(['sequence', 'nuggets'])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return { sequence: Number(row?.sequence ?? 0), nuggets: Number(row?.nuggets ?? 0) };
    },
    async listKnowledgeOrganizations(after, limit) {
      const rows = await db()
        .selectFrom('probity_knowledge_heads')
        .select('organization_id')
        .where('organization_id', '>', after ?? '')
        .orderBy('organization_id')
        .limit(limit)
        .execute();
      return rows.map((row) => row.organization_id);
    },
    async countNuggetChanges(organizationId, after) {
      const counts = await Promise.all(
        (['probity_nuggets', 'probity_nugget_removals'] as const).map((table) =>
          countRows(
            db()
              .selectFrom(table)
              .where('organization_id', '=', organizationId)
              .where('sequence', '>', after),
          ),
        ),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async readNuggetChanges(organizationId, after, limit) {
      const rows = await nuggetsOf(organizationId)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      const removals = await db()
        .selectFrom('probity_nugget_removals')
        .select(['nugget_id', 'sequence'])
        .where('organization_id', '=', organizationId)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      return {
        nuggets: rows.map(toNugget),
        removed: removals.map((row) => ({ id: row.nugget_id, sequence: Number(row.sequence) })),
      };
    },
  };
}

/** Writes nuggets on a SQL session. */
export function createNuggetWrites(session: SqlSession): NuggetWrites {
  const db = () => session.kysely<KnowledgeTables>();
  return {
    async advanceKnowledge(organizationId, { changes, nuggets }) {
      const row = await db()
        .insertInto('probity_knowledge_heads')
        .values({ organization_id: organizationId, sequence: changes, nuggets })
        .onConflict((conflict) =>
          conflict.column('organization_id').doUpdateSet({
            sequence: sql`probity_knowledge_heads.sequence + ${changes}`,
            nuggets: sql`probity_knowledge_heads.nuggets + ${nuggets}`,
          }),
        )
        .returning(['sequence', 'nuggets'])
        .executeTakeFirstOrThrow();
      return { sequence: Number(row.sequence), nuggets: Number(row.nuggets) };
    },
    async insertNuggets(nuggets) {
      await insertMany(session, 'probity_nuggets', nuggets.map(toRow));
    },
    async replaceNuggets(nuggets) {
      for (const nugget of nuggets) {
        const { id, organization_id: organizationId, ...columns } = toRow(nugget);
        await db()
          .updateTable('probity_nuggets')
          .set(columns)
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .execute();
      }
    },
    async deleteNugget(organizationId, id, { sequence, at }) {
      const deletion = db()
        .deleteFrom('probity_nuggets')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      if ((await countChanges(deletion)) === 0) return false;
      const removal = { nugget_id: id, sequence, removed_at: at.getTime() };
      await insertMany(session, 'probity_nugget_removals', [
        { organization_id: organizationId, ...removal },
      ]);
      return true;
    },
    forgetRemovedNuggets(before, limit) {
      const old = db()
        .selectFrom('probity_nugget_removals')
        .select('nugget_id')
        .where('removed_at', '<', before.getTime())
        .orderBy('removed_at')
        .limit(limit);
      return countChanges(db().deleteFrom('probity_nugget_removals').where('nugget_id', 'in', old));
    },
  };
}

function toRow(nugget: Nugget): NuggetRow {
  return {
    id: nugget.id,
    organization_id: nugget.organizationId,
    content_key: contentKeyOf(nugget),
    claim: nugget.claim,
    source_url: nugget.sourceUrl,
    category: nugget.category,
    confidence: nugget.confidence,
    created_at: nugget.createdAt.getTime(),
    updated_at: nugget.updatedAt.getTime(),
    sequence: nugget.sequence,
  };
}

function toNugget(row: NuggetRow): Nugget {
  return {
    id: row.id,
    organizationId: row.organization_id,
    claim: row.claim,
    sourceUrl: row.source_url,
    category: row.category,
    confidence: row.confidence,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    sequence: Number(row.sequence),
  };
}

import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import {
  countChanges,
  pageOf,
  prepareQuery,
  requireSealingKey,
  sealedColumn,
  toDate,
} from '@probity/core/sql';
import { sql } from 'kysely';
import { MAX_PROTECTED_TEXTS } from './input.ts';
import type { ProtectedTextReads, ProtectedTextStorage, ProtectedTextWrites } from './storage.ts';
import type { ProtectedText, ProtectedTextKind, StoredProtectedText } from './types.ts';

/** Times are milliseconds since 1970. */
interface TextRow {
  id: string;
  organization_id: string;
  name: string;
  kind: string;
  length: number;
  hash: string;
  sealed_text: string;
  created_at: number;
  updated_at: number;
}

interface Tables {
  probity_protected_texts: TextRow;
  probity_protected_text_generations: { organization_id: string; generation: number };
}

const COLUMNS = [
  ...['id', 'organization_id', 'name', 'kind', 'length', 'hash', 'created_at', 'updated_at'],
] as const satisfies ReadonlyArray<keyof TextRow>;

/** Read by every scan. */
const selectGeneration = prepareQuery<
  Tables,
  { organizationId: string },
  Tables['probity_protected_text_generations']
>((db, value) =>
  db
    .selectFrom('probity_protected_text_generations')
    .selectAll()
    .where('organization_id', '=', value('organizationId')),
);

/** The storage of protected texts on SQLite and PostgreSQL. */
export function createSqlProtectedTextStorage(database: SqlDatabase): ProtectedTextStorage {
  return bindStorage<SqlSession, ProtectedTextReads, ProtectedTextWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

function createReads(session: SqlSession): ProtectedTextReads {
  const from = (organizationId: string) =>
    session
      .kysely<Tables>()
      .selectFrom('probity_protected_texts')
      .where('organization_id', '=', organizationId);
  return {
    async protectedTextGeneration(organizationId) {
      const [row] = await selectGeneration(session, { organizationId });
      return Number(row?.generation ?? 0);
    },
    async readProtectedTexts(organizationId) {
      const rows = await from(organizationId)
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toStored);
    },
    listProtectedTexts(organizationId, page) {
      const oldest = from(organizationId).select(COLUMNS).orderBy('created_at').orderBy('id');
      return pageOf(oldest, page, toText);
    },
    async findProtectedText(organizationId, id) {
      const row = await from(organizationId).selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toStored(row) : null;
    },
    async protectedTextExtent(organizationId) {
      const rows = await from(organizationId)
        .select('length')
        .limit(MAX_PROTECTED_TEXTS + 1)
        .execute();
      return { count: rows.length, length: rows.reduce((sum, row) => sum + row.length, 0) };
    },
    listSealedProtectedTexts: (exceptKeyId, after, limit) =>
      columnOf(session).list(exceptKeyId, after, limit),
  };
}

function createWrites(session: SqlSession): ProtectedTextWrites {
  const db = () => session.kysely<Tables>();
  const changed = (organizationId: string) =>
    db()
      .insertInto('probity_protected_text_generations')
      .values({ organization_id: organizationId, generation: 1 })
      .onConflict((conflict) =>
        conflict.column('organization_id').doUpdateSet({
          generation: sql<number>`probity_protected_text_generations.generation + 1`,
        }),
      )
      .execute();
  return {
    async insertProtectedText(text) {
      await requireSealingKey(session, text.sealedText);
      await db().insertInto('probity_protected_texts').values(toRow(text)).execute();
      await changed(text.organizationId);
    },
    async replaceProtectedText(text) {
      await requireSealingKey(session, text.sealedText);
      const { id, organization_id, created_at: _, ...given } = toRow(text);
      await db()
        .updateTable('probity_protected_texts')
        .set(given)
        .where('organization_id', '=', organization_id)
        .where('id', '=', id)
        .execute();
      await changed(organization_id);
    },
    async deleteProtectedText(organizationId, id) {
      const deletion = db()
        .deleteFrom('probity_protected_texts')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      const isDeleted = (await countChanges(deletion)) > 0;
      if (isDeleted) await changed(organizationId);
      return isDeleted;
    },
    replaceSealedProtectedText: (value) => columnOf(session).replace(value),
  };
}

function columnOf(session: SqlSession) {
  return sealedColumn(session, 'probity_protected_texts', 'sealed_text');
}

function toRow(text: StoredProtectedText): TextRow {
  return {
    id: text.id,
    organization_id: text.organizationId,
    name: text.name,
    kind: text.kind,
    length: text.length,
    hash: text.hash,
    sealed_text: text.sealedText,
    created_at: text.createdAt.getTime(),
    updated_at: text.updatedAt.getTime(),
  };
}

function toText(row: Omit<TextRow, 'sealed_text'>): ProtectedText {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    kind: row.kind as ProtectedTextKind,
    length: row.length,
    hash: row.hash,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
  };
}

function toStored(row: TextRow): StoredProtectedText {
  return { ...toText(row), sealedText: row.sealed_text };
}

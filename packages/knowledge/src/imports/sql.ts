import type { SqlSession } from '@probity/core/sql';
import { deleteBatch, insertMany, pageOf, toDate, toDateOrNull } from '@probity/core/sql';
import type { ImportReads, ImportWrites } from './record-storage.ts';
import type { ImportFormat, ImportRecord, ImportStatus, RefusedRow } from './types.ts';

/** Times are milliseconds since 1970. */
interface ImportRow {
  id: string;
  organization_id: string;
  format: string;
  /** 1 for an import that stores all rows or none. */
  strict: number;
  status: string;
  rows_read: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** JSON array of refused rows. */
  errors: string;
  problem: string | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
}

interface ImportTables {
  probity_knowledge_imports: ImportRow;
}

/** Reads the records of imports on a SQL session. */
export function createImportReads(session: SqlSession): ImportReads {
  const importsOf = (organizationId: string) =>
    session
      .kysely<ImportTables>()
      .selectFrom('probity_knowledge_imports')
      .selectAll()
      .where('organization_id', '=', organizationId);
  return {
    listImports(organizationId, page) {
      const newest = importsOf(organizationId).orderBy('created_at', 'desc').orderBy('id', 'desc');
      return pageOf(newest, page, (row) => ({ ...toRecord(row), errors: [] }));
    },
    async findImport(organizationId, id) {
      const row = await importsOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
  };
}

/** Writes the records of imports on a SQL session. */
export function createImportWrites(session: SqlSession): ImportWrites {
  const db = () => session.kysely<ImportTables>();
  return {
    async insertImport(record) {
      await insertMany(session, 'probity_knowledge_imports', [toRow(record)]);
    },
    async updateImport(record) {
      const { id, organization_id: organizationId, ...columns } = toRow(record);
      await db()
        .updateTable('probity_knowledge_imports')
        .set(columns)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
    },
    deleteImports(before, limit) {
      const old = db()
        .selectFrom('probity_knowledge_imports')
        .select('id')
        .where('created_at', '<', before.getTime())
        .orderBy('created_at')
        .limit(limit);
      return deleteBatch(session, 'probity_knowledge_imports', 'id', old);
    },
  };
}

function toRow(record: ImportRecord): ImportRow {
  return {
    id: record.id,
    organization_id: record.organizationId,
    format: record.format,
    strict: Number(record.isStrict),
    status: record.status,
    rows_read: record.rows,
    created: record.created,
    updated: record.updated,
    unchanged: record.unchanged,
    failed: record.failed,
    errors: JSON.stringify(record.errors),
    problem: record.problem,
    created_at: record.createdAt.getTime(),
    updated_at: record.updatedAt.getTime(),
    ended_at: record.endedAt?.getTime() ?? null,
  };
}

function toRecord(row: ImportRow): ImportRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    format: row.format as ImportFormat,
    isStrict: row.strict === 1,
    status: row.status as ImportStatus,
    rows: Number(row.rows_read),
    created: Number(row.created),
    updated: Number(row.updated),
    unchanged: Number(row.unchanged),
    failed: Number(row.failed),
    errors: JSON.parse(row.errors) as RefusedRow[],
    problem: row.problem,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    endedAt: toDateOrNull(row.ended_at),
  };
}

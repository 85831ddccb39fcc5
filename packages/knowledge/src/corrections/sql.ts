import type { SqlSession } from '@probity/core/sql';
import { insertMany, pageOf, toDate } from '@probity/core/sql';
import type { CorrectionReads, CorrectionWrites } from './storage.ts';
import type { Correction } from './types.ts';

/** Times are milliseconds since 1970. */
interface CorrectionRow {
  id: string;
  organization_id: string;
  nugget_id: string;
  claim: string;
  correction: string;
  source_url: string;
  created_at: number;
}

interface CorrectionTables {
  probity_corrections: CorrectionRow;
}

/** Reads corrections on a SQL session. */
export function createCorrectionReads(session: SqlSession): CorrectionReads {
  const correctionsOf = (organizationId: string) =>
    session
      .kysely<CorrectionTables>()
      .selectFrom('probity_corrections')
      .selectAll()
      .where('organization_id', '=', organizationId);
  return {
    listCorrections(organizationId, { nuggetId }, page) {
      const newest = correctionsOf(organizationId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      const query = nuggetId === undefined ? newest : newest.where('nugget_id', '=', nuggetId);
      return pageOf(query, page, toCorrection);
    },
    async findCorrection(organizationId, id) {
      const row = await correctionsOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toCorrection(row) : null;
    },
  };
}

/** Writes corrections on a SQL session. */
export function createCorrectionWrites(session: SqlSession): CorrectionWrites {
  return {
    async insertCorrection(correction) {
      await insertMany(session, 'probity_corrections', [toRow(correction)]);
    },
  };
}

function toRow(correction: Correction): CorrectionRow {
  return {
    id: correction.id,
    organization_id: correction.organizationId,
    nugget_id: correction.nuggetId,
    claim: correction.claim,
    correction: correction.correction,
    source_url: correction.sourceUrl,
    created_at: correction.createdAt.getTime(),
  };
}

function toCorrection(row: CorrectionRow): Correction {
  return {
    id: row.id,
    organizationId: row.organization_id,
    nuggetId: row.nugget_id,
    claim: row.claim,
    correction: row.correction,
    sourceUrl: row.source_url,
    createdAt: toDate(row.created_at),
  };
}

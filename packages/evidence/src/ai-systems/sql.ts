import type { SqlSession } from '@probity/core/sql';
import { countChanges, pageOf, prepareInsert, toDate } from '@probity/core/sql';
import type { AiSystemReads, AiSystemWrites } from './storage.ts';
import type { AiSystem, RiskClass } from './types.ts';

/** Times are milliseconds since 1970. */
interface AiSystemRow {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  risk_class: string | null;
  owner: string | null;
  created_at: number;
  updated_at: number;
}

interface AiSystemTables {
  probity_ai_systems: AiSystemRow;
}

const insertAiSystem = prepareInsert<AiSystemRow>('probity_ai_systems', [
  'id',
  'organization_id',
  'name',
  'description',
  'risk_class',
  'owner',
  'created_at',
  'updated_at',
]);

/** Reads AI systems on a SQL session. */
export function createAiSystemReads(session: SqlSession): AiSystemReads {
  const aiSystemsOf = (organizationId: string) =>
    session
      .kysely<AiSystemTables>()
      .selectFrom('probity_ai_systems')
      .selectAll()
      .where('organization_id', '=', organizationId);
  return {
    listAiSystems(organizationId, page) {
      const oldest = aiSystemsOf(organizationId).orderBy('created_at').orderBy('id');
      return pageOf(oldest, page, toAiSystem);
    },
    async findAiSystem(organizationId, id) {
      const row = await aiSystemsOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toAiSystem(row) : null;
    },
  };
}

/** Writes AI systems on a SQL session. */
export function createAiSystemWrites(session: SqlSession): AiSystemWrites {
  const db = () => session.kysely<AiSystemTables>();
  return {
    insertAiSystem: (aiSystem) => insertAiSystem(session, toRow(aiSystem)),
    async updateAiSystem(organizationId, id, changes) {
      const { name, description, riskClass, owner, updatedAt } = changes;
      const row = await db()
        .updateTable('probity_ai_systems')
        .set({
          updated_at: updatedAt.getTime(),
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(riskClass === undefined ? {} : { risk_class: riskClass }),
          ...(owner === undefined ? {} : { owner }),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? toAiSystem(row) : null;
    },
    async deleteAiSystem(organizationId, id) {
      const deletion = db()
        .deleteFrom('probity_ai_systems')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      return (await countChanges(deletion)) > 0;
    },
  };
}

function toRow(aiSystem: AiSystem): AiSystemRow {
  return {
    id: aiSystem.id,
    organization_id: aiSystem.organizationId,
    name: aiSystem.name,
    description: aiSystem.description,
    risk_class: aiSystem.riskClass,
    owner: aiSystem.owner,
    created_at: aiSystem.createdAt.getTime(),
    updated_at: aiSystem.updatedAt.getTime(),
  };
}

function toAiSystem(row: AiSystemRow): AiSystem {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    riskClass: row.risk_class as RiskClass | null,
    owner: row.owner,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
  };
}

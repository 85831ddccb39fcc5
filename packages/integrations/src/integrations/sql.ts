import type { SqlSession } from '@probity/core/sql';
import {
  countChanges,
  pageOf,
  requireSealingKey,
  sealedColumn,
  toDate,
  toDateOrNull,
} from '@probity/core/sql';
import type { IntegrationReads, IntegrationWrites } from './storage.ts';
import type {
  Connection,
  Integration,
  IntegrationStatus,
  IntegrationType,
  Routing,
  StoredChanges,
} from './types.ts';

/** Times are milliseconds since 1970. */
interface IntegrationRow {
  id: string;
  organization_id: string;
  type: string;
  target: string;
  client_id: string;
  sealed_secret: string;
  /** JSON of a `Routing`. */
  routing: string | null;
  status: string;
  last_error: string | null;
  last_error_at: number | null;
  created_at: number;
  updated_at: number;
}

interface IntegrationTables {
  probity_integrations: IntegrationRow;
}

/** Reads integrations on a SQL session. */
export function createIntegrationReads(session: SqlSession): IntegrationReads {
  const rowsOf = (organizationId: string) =>
    session
      .kysely<IntegrationTables>()
      .selectFrom('probity_integrations')
      .selectAll()
      .where('organization_id', '=', organizationId);
  const find = async (organizationId: string, id: string) => {
    const row = await rowsOf(organizationId).where('id', '=', id).executeTakeFirst();
    return row ?? null;
  };
  return {
    listIntegrations(organizationId, page) {
      const oldest = rowsOf(organizationId).orderBy('created_at').orderBy('id');
      return pageOf(oldest, page, toIntegration);
    },
    async findIntegration(organizationId, id) {
      const row = await find(organizationId, id);
      return row && toIntegration(row);
    },
    async findConnection(organizationId, id) {
      const row = await find(organizationId, id);
      return row && toConnection(row);
    },
    async findConnectionOf(organizationId, type) {
      const row = await rowsOf(organizationId).where('type', '=', type).executeTakeFirst();
      return row ? toConnection(row) : null;
    },
    async listRouted(organizationId) {
      const rows = await rowsOf(organizationId)
        .where('routing', 'is not', null)
        .orderBy('id')
        .execute();
      return rows.map(toIntegration);
    },
    listSealedClientSecrets: (exceptKeyId, after, limit) =>
      columnOf(session).list(exceptKeyId, after, limit),
  };
}

/** Writes integrations on a SQL session. */
export function createIntegrationWrites(session: SqlSession): IntegrationWrites {
  const db = () => session.kysely<IntegrationTables>();
  return {
    async insertIntegration(connection) {
      await requireSealingKey(session, connection.sealedSecret);
      await db().insertInto('probity_integrations').values(toRow(connection)).execute();
    },
    async updateIntegration(organizationId, id, changes) {
      if (changes.sealedSecret !== undefined) {
        await requireSealingKey(session, changes.sealedSecret);
      }
      const row = await db()
        .updateTable('probity_integrations')
        // With the organization, since SQL has no update without columns.
        .set({ organization_id: organizationId, ...toColumns(changes) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? toIntegration(row) : null;
    },
    async deleteIntegration(organizationId, id) {
      const deletion = db()
        .deleteFrom('probity_integrations')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      return (await countChanges(deletion)) > 0;
    },
    replaceSealedClientSecret: (value) => columnOf(session).replace(value),
  };
}

function columnOf(session: SqlSession) {
  return sealedColumn(session, 'probity_integrations', 'sealed_secret');
}

function toColumns(changes: StoredChanges): Partial<IntegrationRow> {
  const { clientId, sealedSecret, routing, status, lastError, lastErrorAt, updatedAt } = changes;
  return {
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(sealedSecret === undefined ? {} : { sealed_secret: sealedSecret }),
    ...(routing === undefined ? {} : { routing: routing && JSON.stringify(routing) }),
    ...(status === undefined ? {} : { status }),
    ...(lastError === undefined ? {} : { last_error: lastError }),
    ...(lastErrorAt === undefined ? {} : { last_error_at: lastErrorAt?.getTime() ?? null }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt.getTime() }),
  };
}

function toRow(connection: Connection): IntegrationRow {
  return {
    id: connection.id,
    organization_id: connection.organizationId,
    type: connection.type,
    target: connection.target,
    client_id: connection.clientId,
    sealed_secret: connection.sealedSecret,
    routing: connection.routing && JSON.stringify(connection.routing),
    status: connection.status,
    last_error: connection.lastError,
    last_error_at: connection.lastErrorAt?.getTime() ?? null,
    created_at: connection.createdAt.getTime(),
    updated_at: connection.updatedAt.getTime(),
  };
}

function toIntegration(row: IntegrationRow): Integration {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as IntegrationType,
    target: row.target,
    clientId: row.client_id,
    routing: row.routing === null ? null : (JSON.parse(row.routing) as Routing),
    status: row.status as IntegrationStatus,
    lastError: row.last_error,
    lastErrorAt: toDateOrNull(row.last_error_at),
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
  };
}

function toConnection(row: IntegrationRow): Connection {
  return { ...toIntegration(row), sealedSecret: row.sealed_secret };
}

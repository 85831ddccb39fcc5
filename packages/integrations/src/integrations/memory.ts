import type { MemorySession } from '@probity/core';
import {
  byCreation,
  byId,
  defineMemoryTable,
  listSealed,
  owned,
  pageOf,
} from '@probity/core/internal';
import type { IntegrationReads, IntegrationWrites } from './storage.ts';
import type { Connection, Integration } from './types.ts';

const INTEGRATIONS = defineMemoryTable<Connection>('integrations', 'organizationId');

/** Reads and writes integrations in memory. */
export function createIntegrationOperations(
  session: MemorySession,
): IntegrationReads & IntegrationWrites {
  const table = () => session.table(INTEGRATIONS);
  const listOf = (organizationId: string) =>
    table().filter((row) => row.organizationId === organizationId);
  return {
    async listIntegrations(organizationId, page) {
      return pageOf(listOf(organizationId).map(toIntegration), page, byCreation);
    },
    async findIntegration(organizationId, id) {
      const row = owned(table(), organizationId, id);
      return row && toIntegration(row);
    },
    async findConnection(organizationId, id) {
      return owned(table(), organizationId, id);
    },
    async findConnectionOf(organizationId, type) {
      return listOf(organizationId).find((row) => row.type === type) ?? null;
    },
    async listRouted(organizationId) {
      const routed = listOf(organizationId).filter(({ routing }) => routing !== null);
      return routed.map(toIntegration).sort(byId);
    },
    async listSealedClientSecrets(exceptKeyId, after, limit) {
      const rows = table().filter(() => true);
      const sealed = rows.map(({ id, sealedSecret }) => ({ id, sealed: sealedSecret }));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async insertIntegration(connection) {
      const { organizationId, type } = connection;
      if (listOf(organizationId).some((row) => row.type === type)) {
        throw new Error(`The organization ${organizationId} has an integration of type ${type}.`);
      }
      table().put(connection.id, connection);
    },
    async updateIntegration(organizationId, id, changes) {
      const row = owned(table(), organizationId, id);
      if (!row) return null;
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const updated: Connection = { ...row, ...Object.fromEntries(given) };
      table().put(id, updated);
      return toIntegration(updated);
    },
    async deleteIntegration(organizationId, id) {
      return owned(table(), organizationId, id) !== null && table().delete(id);
    },
    async replaceSealedClientSecret({ id, from, to }) {
      const row = table().get(id);
      if (row?.sealedSecret === from) table().put(id, { ...row, sealedSecret: to });
    },
  };
}

function toIntegration({ sealedSecret: _, ...integration }: Connection): Integration {
  return integration;
}

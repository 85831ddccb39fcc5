import { createIds, OUTSIDE_REQUEST } from '@probity/core';
import type { Connection, Integration } from './integrations/types.ts';
import type { IntegrationsStorage } from './storage.ts';

/** Creation time of the fixtures. */
const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
/** A day after {@link CREATED_AT}. */
export const LATER = new Date('2026-01-02T00:00:00.000Z');

const ids = createIds();

/** A connected ITSM system without routing; `facts` override members. */
export function newConnection(organizationId: string, facts: Partial<Connection> = {}): Connection {
  const id = ids.next('itg');
  return {
    id,
    organizationId,
    type: 'itsm',
    target: 'https://acme.example/now',
    clientId: 'client',
    routing: null,
    status: 'connected',
    lastError: null,
    lastErrorAt: null,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    sealedSecret: `sealed ${id}`,
    ...facts,
  };
}

/** Stores a connection; returns it without its secret. */
export async function insertIntegration(
  storage: IntegrationsStorage,
  organizationId: string,
  facts?: Partial<Connection>,
): Promise<Integration> {
  const connection = newConnection(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertIntegration(connection));
  const { sealedSecret: _, ...integration } = connection;
  return integration;
}

import type { Page, PageOf } from '@probity/core';
import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type { Connection, Integration, IntegrationType, StoredChanges } from './types.ts';

/** Reads of integrations. */
export interface IntegrationReads {
  /** The organization's integrations, oldest first, ties by id. */
  listIntegrations(organizationId: string, page: Page): Promise<PageOf<Integration>>;
  /** Null when the organization has no such integration. */
  findIntegration(organizationId: string, id: string): Promise<Integration | null>;
  /** As `findIntegration`, with the secret. */
  findConnection(organizationId: string, id: string): Promise<Connection | null>;
  /** The organization's integration of the type, with the secret. */
  findConnectionOf(organizationId: string, type: IntegrationType): Promise<Connection | null>;
  /** The organization's integrations that have a routing, by id. */
  listRouted(organizationId: string): Promise<Integration[]>;
  /** Up to `limit` secrets after the row `after` that are sealed under another key, by id. */
  listSealedClientSecrets(
    exceptKeyId: string,
    after: string,
    limit: number,
  ): Promise<SealedValue[]>;
}

/** Writes of integrations. */
export interface IntegrationWrites {
  /** The organization must have none of the type. */
  insertIntegration(connection: Connection): Promise<void>;
  /** Returns the updated integration; null when the organization has no such integration. */
  updateIntegration(
    organizationId: string,
    id: string,
    changes: StoredChanges,
  ): Promise<Integration | null>;
  /** Returns false when the organization has no such integration. */
  deleteIntegration(organizationId: string, id: string): Promise<boolean>;
  /** Stores a resealed secret if the row still holds the former one. */
  replaceSealedClientSecret(value: ReplacedValue): Promise<void>;
}

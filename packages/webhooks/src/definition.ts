import type { CapabilityDefinition } from '@probity/core';
import { parseNetworkAllowList } from '@probity/core';
import { isSqlDatabase, requireKnownOptions } from '@probity/core/internal';
import type { Deliveries } from './deliveries/deliveries.ts';
import type { WebhookRetryProfile } from './deliveries/retry.ts';
import type { EventCatalog } from './events/catalog.ts';
import { createMemoryWebhookStorage } from './memory.ts';
import type { WebhookStorage } from './storage.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Options of {@link webhooks}. */
export interface WebhookSettings {
  /**
   * Non-public networks that webhooks may reach, each with a port or without:
   * `10.1.0.0/16, 127.0.0.1/32:8443`; default none.
   */
  readonly egress?: string | undefined;
  /** The event types of the host; default those of Probity. */
  readonly eventTypes?: EventCatalog | undefined;
  /** Default: `RETRY_PROFILES.standard`. */
  readonly retry?: WebhookRetryProfile | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: WebhookStorage | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** The services of webhooks in a host: those of `Webhooks`, and deliveries. */
export interface HostWebhooks extends Webhooks {
  readonly deliveries: Deliveries;
}

/**
 * Signed webhooks, for `createProbity`.
 * @throws Error when `egress` is not a list of networks
 */
export function webhooks(
  settings: WebhookSettings = {},
): CapabilityDefinition<'webhooks', HostWebhooks> {
  requireKnownOptions('webhooks', settings, ['egress', 'eventTypes', 'retry', 'storage', 'prefix']);
  const { egress = '', eventTypes, retry, prefix = '', storage } = settings;
  const allow = parseNetworkAllowList(egress);
  return {
    name: 'webhooks',
    needsSecretBox: true,
    migrations: async () => (await import('./migrations.ts')).webhookMigrations,
    async create(runtime) {
      const { createWebhookCapability } = await import('./capability.ts');
      const { services, ...capability } = createWebhookCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        targets: { allow },
        eventTypes,
        retry,
        prefix,
      });
      const { webhooks, deliveries } = services;
      return { ...capability, services: Object.freeze({ ...webhooks, deliveries }) };
    },
  };
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<WebhookStorage> {
  if (!isSqlDatabase(database)) return createMemoryWebhookStorage(database as never);
  const { createSqlWebhookStorage } = await import('./sql.ts');
  return createSqlWebhookStorage(database);
}

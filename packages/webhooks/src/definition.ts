import type { CapabilityDefinition, OwnerNotices } from '@probity/core';
import { parseNetworkAllowList } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { Deliveries } from './deliveries/deliveries.ts';
import type { WebhookRetryProfile } from './deliveries/retry.ts';
import { checkWebhookRetryProfile } from './deliveries/retry.ts';
import type { EventCatalog } from './events/catalog.ts';
import { checkCatalog } from './events/catalog.ts';
import { createMemoryWebhookStorage } from './memory.ts';
import type { Replays } from './replays/replays.ts';
import type { WebhookStorage } from './storage.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Options of {@link webhooks}. */
export interface WebhookSettings {
  /**
   * Non-public networks that webhooks may reach, each with a port or without:
   * `10.1.0.0/16, 127.0.0.1/32:8443`; default none. An entry for loopback with a port also accepts plain http there, for
   * development.
   */
  readonly egress?: string | undefined;
  /** The event types of the host; default those of Probity. */
  readonly eventTypes?: EventCatalog | undefined;
  /** Default: `RETRY_PROFILES.standard`. */
  readonly retry?: WebhookRetryProfile | undefined;
  /**
   * Tells the owners of an organization that a webhook is about to be disabled, or was; default: the audit log
   * alone has it.
   */
  readonly notices?: OwnerNotices | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: WebhookStorage | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** The services of webhooks in a host: those of `Webhooks`, deliveries and replays. */
export interface HostWebhooks extends Webhooks {
  readonly deliveries: Deliveries;
  readonly replays: Replays;
}

/** What a storage of the host must have; see {@link WebhookStorage}. */
const STORAGE = [
  ...['listWebhooks', 'findWebhook', 'countWebhooks'],
  ...['findSecrets', 'listSealedSecrets'],
  ...['listDeliveries', 'findDelivery', 'findDispatches'],
  ...['listReplays', 'findReplay'],
  ...['listAttemptCounts', 'transaction'],
];

/**
 * Signed webhooks, for `createProbity`.
 * @throws Error that names the setting at fault
 */
export function webhooks(
  settings: WebhookSettings = {},
): CapabilityDefinition<'webhooks', HostWebhooks> {
  requireKnownOptions('webhooks', settings, [
    'egress',
    'eventTypes',
    'retry',
    'notices',
    'storage',
    'prefix',
  ]);
  const { egress = '', eventTypes, retry, notices, prefix = '', storage } = settings;
  const allow = parseEgress(egress);
  if (storage !== undefined) requireFunctions('webhooks: storage', storage, STORAGE);
  if (notices !== undefined) requireFunctions('webhooks: notices', notices, ['send']);
  requirePath('webhooks: prefix', prefix);
  if (retry !== undefined) checkWebhookRetryProfile(retry);
  if (eventTypes !== undefined) checkCatalog(eventTypes);
  return {
    name: 'webhooks',
    needsSecretBox: true,
    migrations: async () => (await import('./migrations.ts')).webhookMigrations,
    async create(runtime, { mount }) {
      const { createWebhookCapability } = await import('./capability.ts');
      const { services, ...capability } = createWebhookCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        targets: { allow },
        eventTypes,
        retry,
        notices,
        prefix,
        mount,
      });
      const { webhooks, deliveries, replays } = services;
      return { ...capability, services: Object.freeze({ ...webhooks, deliveries, replays }) };
    },
  };
}

function parseEgress(egress: string) {
  if (typeof egress !== 'string') throw new TypeError('webhooks: egress must be a text.');
  try {
    return parseNetworkAllowList(egress);
  } catch (cause) {
    throw new RangeError(`webhooks: egress: ${(cause as Error).message}`, { cause });
  }
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<WebhookStorage> {
  if (!isSqlDatabase(database)) return createMemoryWebhookStorage(database as never);
  const { createSqlWebhookStorage } = await import('./sql.ts');
  return createSqlWebhookStorage(database);
}

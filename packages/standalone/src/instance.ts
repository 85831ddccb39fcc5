import {
  type ApiKeyUsage,
  type Authenticate,
  type BootstrapDependencies,
  createApiKeyAuthentication,
  createApiKeyUsage,
  createDialer,
  createIdempotency,
  createIds,
  createOutboxRelay,
  createPlatform,
  createSecretBox,
  type Idempotency,
  type Logger,
  type Platform,
  type Service,
  systemClock,
  systemRandom,
} from '@probity/core';
import { createSqlPlatformStorage, type SqlDatabase } from '@probity/core/sql';
import { createAlerts, createGovernance } from '@probity/governance';
import type { GovernanceServices } from '@probity/governance/koa';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { createPipeline } from '@probity/pipeline';
import { createWebhookDeliverer, createWebhookSubscriber, createWebhooks } from '@probity/webhooks';
import type { WebhookServices } from '@probity/webhooks/koa';
import { createSqlWebhookStorage } from '@probity/webhooks/sql';
import type { ServerConfig } from './config.ts';

/** What an instance is built on. */
export interface InstanceDependencies {
  readonly config: ServerConfig;
  readonly database: SqlDatabase;
  readonly encryptionKey: Uint8Array;
  readonly logger: Logger;
}

/** The services of all packages on one database, and the background work that belongs to them. */
export interface Instance {
  readonly services: Platform & GovernanceServices & WebhookServices;
  readonly authenticate: Authenticate;
  readonly apiKeyUsage: ApiKeyUsage;
  readonly idempotency: Idempotency;
  readonly outboxRelay: Service;
  readonly webhookDeliverer: Service;
  /** For creating organizations from outside the API. */
  readonly setUp: BootstrapDependencies;
}

/** Wires the packages; nothing runs yet. */
export function createInstance(dependencies: InstanceDependencies): Instance {
  const { config, database, encryptionKey, logger } = dependencies;
  const clock = systemClock;
  const random = systemRandom;
  const ids = createIds(clock, random);
  const secretBox = createSecretBox([encryptionKey]);
  const dialer = createDialer({ allow: config.webhooksEgressAllow });
  const storage = createSqlPlatformStorage(database);
  const webhookStorage = createSqlWebhookStorage(database);
  const governanceStorage = createSqlGovernanceStorage(database);
  const apiKeyUsage = createApiKeyUsage({ storage, clock, logger });
  const setUp = { storage, ids, clock, random };
  return {
    setUp,
    apiKeyUsage,
    idempotency: createIdempotency({ database, clock }),
    authenticate: createApiKeyAuthentication({ storage, clock, usage: apiKeyUsage }),
    services: {
      ...createPlatform({ ...setUp, database }),
      webhooks: createWebhooks({
        storage: webhookStorage,
        secretBox,
        ids,
        clock,
        random,
        targets: { allow: config.webhooksEgressAllow },
      }),
      governance: createGovernance({
        storage: governanceStorage,
        pipeline: createPipeline(),
        ids,
        clock,
      }),
      alerts: createAlerts({ storage: governanceStorage }),
    },
    outboxRelay: createOutboxRelay({
      database,
      clock,
      logger,
      newLeaseToken: () => ids.next('job'),
      subscribers: [createWebhookSubscriber({ storage: webhookStorage, ids, clock })],
    }),
    webhookDeliverer: createWebhookDeliverer({
      storage: webhookStorage,
      database,
      dialer,
      secretBox,
      clock,
      logger,
      ids,
    }),
  };
}

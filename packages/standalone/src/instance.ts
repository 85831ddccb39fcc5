import {
  type Authenticate,
  type BootstrapDependencies,
  type Clock,
  type CredentialUsage,
  createApiKeyAuthentication,
  createApiKeyUsage,
  createDialer,
  createIdempotency,
  createIds,
  createInvitationMailer,
  createMaintenance,
  createOutboxRelay,
  createPlatform,
  createQuotaMeter,
  createSecretBox,
  type Idempotency,
  type Ids,
  type Logger,
  type Maintenance,
  type MemberStorage,
  type Platform,
  type PlatformStorage,
  type QuotaMeter,
  type SecretBox,
  type Service,
  systemClock,
  systemRandom,
} from '@probity/core';
import {
  createSqlBillingStorage,
  createSqlMaintenanceStorage,
  createSqlMemberStorage,
  createSqlPlatformStorage,
  createSqlUsageStorage,
  type SqlDatabase,
} from '@probity/core/sql';
import { createAlerts, createGovernance, type ScanStage } from '@probity/governance';
import type { GovernanceServices } from '@probity/governance/koa';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { createPipeline } from '@probity/pipeline';
import {
  createWebhookDeliverer,
  createWebhookSubscriber,
  createWebhooks,
  type WebhookStorage,
} from '@probity/webhooks';
import type { WebhookServices } from '@probity/webhooks/koa';
import { createSqlWebhookStorage } from '@probity/webhooks/sql';
import type { ServerConfig } from './config.ts';
import { createMailer } from './mailer.ts';

/** What an instance is built on. */
export interface InstanceDependencies {
  readonly config: ServerConfig;
  readonly database: SqlDatabase;
  readonly encryptionKey: Uint8Array;
  readonly logger: Logger;
  /** Is told how every stage of every scan ended. */
  readonly observeStage?: (stage: ScanStage) => void;
  /** Base of absolute addresses, known once the server is bound. */
  readonly baseUrl: () => string;
}

/** The services of all packages on one database, and the background work that belongs to them. */
export interface Instance {
  readonly services: Platform & GovernanceServices & WebhookServices;
  readonly authenticate: Authenticate;
  readonly apiKeyUsage: CredentialUsage;
  readonly idempotency: Idempotency;
  readonly quotaMeter: QuotaMeter;
  readonly maintenance: Maintenance;
  readonly outboxRelay: Service;
  readonly webhookDeliverer: Service;
  readonly invitationMailer: Service;
  /** For creating organizations from outside the API. */
  readonly setUp: BootstrapDependencies;
}

/** Wires the packages; nothing runs yet. */
export function createInstance(dependencies: InstanceDependencies): Instance {
  const { config, database, encryptionKey, logger, baseUrl } = dependencies;
  const clock = systemClock;
  const random = systemRandom;
  const ids = createIds(clock, random);
  const secretBox = createSecretBox([encryptionKey]);
  const storage = createSqlPlatformStorage(database);
  const memberStorage = createSqlMemberStorage(database);
  const webhookStorage = createSqlWebhookStorage(database);
  const governanceStorage = createSqlGovernanceStorage(database);
  const apiKeyUsage = createApiKeyUsage({ storage, clock, logger });
  const usageStorage = createSqlUsageStorage(database);
  const quotaMeter = createQuotaMeter({ storage: usageStorage, clock, logger });
  const billingStorage = createSqlBillingStorage(database);
  const billing = { billingStorage, usageStorage, encryptionKey, meter: quotaMeter };
  const setUp = { storage, ids, clock, random };
  const tools = { database, secretBox, clock, logger, ids };
  return {
    setUp,
    apiKeyUsage,
    quotaMeter,
    idempotency: createIdempotency({ database, clock }),
    maintenance: createMaintenance({ storage: createSqlMaintenanceStorage(database), clock }),
    authenticate: createApiKeyAuthentication({ storage, clock, usage: apiKeyUsage }),
    services: {
      ...createPlatform({
        ...billing,
        ...setUp,
        ...tools,
        memberStorage,
        baseUrl,
      }),
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
        logger,
        ...(dependencies.observeStage ? { observeStage: dependencies.observeStage } : {}),
      }),
      alerts: createAlerts({ storage: governanceStorage }),
    },
    ...createBackgroundWork(dependencies, tools, { storage, memberStorage, webhookStorage }),
  };
}

/** What the background work of all packages shares. */
interface Tools extends Pick<InstanceDependencies, 'database' | 'logger'> {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly ids: Ids;
}

function createBackgroundWork(
  { config, baseUrl }: InstanceDependencies,
  tools: Tools,
  {
    storage,
    memberStorage,
    webhookStorage,
  }: {
    storage: PlatformStorage;
    memberStorage: MemberStorage;
    webhookStorage: WebhookStorage;
  },
): Pick<Instance, 'outboxRelay' | 'webhookDeliverer' | 'invitationMailer'> {
  const { ids, clock } = tools;
  return {
    outboxRelay: createOutboxRelay({
      ...tools,
      newLeaseToken: () => ids.next('job'),
      subscribers: [createWebhookSubscriber({ storage: webhookStorage, ids, clock })],
    }),
    invitationMailer: createInvitationMailer({
      ...tools,
      storage: memberStorage,
      platformStorage: storage,
      mailer: createMailer({ config, ...tools }),
      baseUrl,
    }),
    webhookDeliverer: createWebhookDeliverer({
      ...tools,
      storage: webhookStorage,
      dialer: createDialer({ allow: config.webhooksEgressAllow }),
    }),
  };
}

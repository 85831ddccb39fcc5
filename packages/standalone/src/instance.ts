import {
  type Authenticate,
  createDialer,
  createIdempotency,
  createMaintenance,
  createOutboxRelay,
  createRuntime,
  type Idempotency,
  type LifecyclePart,
  type Logger,
  type Maintenance,
  type Metrics,
  type Runtime,
  type SecretBox,
  type Service,
} from '@probity/core';
import { createRetentionWorker } from '@probity/core/internal';
import { createSqlMaintenanceStorage, type SqlDatabase } from '@probity/core/sql';
import { createGovernance, type Governance } from '@probity/governance';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { createConfiguredPipeline, sampleErrors } from '@probity/pipeline/backends';
import {
  type BootstrapDependencies,
  type CredentialUsage,
  createApiKeyUsage,
  createInvitationMailer,
  createMemberAuthentication,
  createPasswordResetMailer,
  createPlatform,
  createQuotaMeter,
  type MemberStorage,
  type Platform,
  type PlatformStorage,
  type QuotaMeter,
  type SignInStorage,
} from '@probity/platform';
import { createInvoiceRenderer } from '@probity/platform/pdf';
import {
  createSqlBillingStorage,
  createSqlMemberStorage,
  createSqlPlatformStorage,
  createSqlSignInStorage,
  createSqlUsageStorage,
} from '@probity/platform/sql';
import {
  createDeliveries,
  createWebhookDeliverer,
  createWebhookSubscriber,
  createWebhooks,
  type WebhookStorage,
} from '@probity/webhooks';
import type { WebhookServices } from '@probity/webhooks/koa';
import { createSqlWebhookStorage } from '@probity/webhooks/sql';
import type { ServerConfig } from './config.ts';
import { createMailer } from './mailer.ts';
import { createServerRetention } from './retention.ts';

/** What an instance is built on. */
export interface InstanceDependencies {
  readonly config: ServerConfig;
  readonly database: SqlDatabase;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Default: none. */
  readonly metrics?: Metrics | undefined;
  /** Base of absolute addresses, known once the server is bound. */
  readonly baseUrl: () => string;
}

/** The services of all packages on one database, and the background work that belongs to them. */
export interface Instance {
  readonly services: Platform & Governance & WebhookServices;
  readonly authenticate: Authenticate;
  readonly apiKeyUsage: CredentialUsage;
  readonly idempotency: Idempotency;
  readonly quotaMeter: QuotaMeter;
  readonly maintenance: Maintenance;
  /** What works in the background, in the order in which it starts. */
  readonly background: readonly LifecyclePart[];
  /** For creating organizations from outside the API. */
  readonly setUp: BootstrapDependencies;
}

/** Wires the packages; nothing runs yet. */
export function createInstance(dependencies: InstanceDependencies): Instance {
  const { config, database, secretBox, logger, baseUrl } = dependencies;
  const runtime = createRuntime({ database, secretBox, logger, metrics: dependencies.metrics });
  const { clock, random, ids } = runtime;
  const storage = createSqlPlatformStorage(database);
  const memberStorage = createSqlMemberStorage(database);
  const webhookStorage = createSqlWebhookStorage(database);
  const governanceStorage = createSqlGovernanceStorage(database);
  const apiKeyUsage = createApiKeyUsage({ storage, clock, logger });
  const usageStorage = createSqlUsageStorage(database);
  const quotaMeter = createQuotaMeter({ storage: usageStorage, clock, logger });
  const billingStorage = createSqlBillingStorage(database);
  const billing = { billingStorage, usageStorage, meter: quotaMeter };
  const renderInvoice = createInvoiceRenderer();
  const setUp = { storage, ids, clock, random };
  const signInStorage = createSqlSignInStorage(database);
  const tools = { database, signInStorage, secretBox, clock, logger, ids };
  return {
    setUp,
    apiKeyUsage,
    quotaMeter,
    idempotency: createIdempotency({ database, clock }),
    maintenance: createMaintenance({ storage: createSqlMaintenanceStorage(database), clock }),
    authenticate: createMemberAuthentication({ ...tools, storage, usage: apiKeyUsage }),
    services: {
      ...createPlatform({ ...billing, ...setUp, ...tools, memberStorage, baseUrl, renderInvoice }),
      webhooks: createWebhooks(runtime, {
        storage: webhookStorage,
        targets: { allow: config.webhooksEgressAllow },
      }),
      deliveries: createDeliveries({ storage: webhookStorage }),
      ...createGovernance(runtime, {
        storage: governanceStorage,
        pipeline: createConfiguredPipeline(config.pipeline, {
          onBackendError: sampleErrors((error, keptBack) =>
            logger.warn('a back end of the scanners failed', { error, keptBack }),
          ),
        }),
      }),
    },
    background: createBackgroundWork(
      dependencies,
      { ...runtime, database, secretBox, signInStorage, memberStorage, webhookStorage },
      storage,
    ),
  };
}

/** What the background work of all packages shares. */
interface Tools extends Runtime {
  readonly database: SqlDatabase;
  readonly memberStorage: MemberStorage;
  readonly signInStorage: SignInStorage;
  readonly webhookStorage: WebhookStorage;
  readonly secretBox: SecretBox;
}

function createBackgroundWork(
  { config, baseUrl }: InstanceDependencies,
  tools: Tools,
  platformStorage: PlatformStorage,
): LifecyclePart[] {
  const { ids, database, logger, webhookStorage: storage } = tools;
  const newLeaseToken = () => ids.next('job');
  const mailing = { ...tools, mailer: createMailer({ config, ...tools }), baseUrl };
  const workers: Record<string, Service> = {
    'invitation mailer': createInvitationMailer({
      ...mailing,
      storage: tools.memberStorage,
      platformStorage,
    }),
    'password reset mailer': createPasswordResetMailer(mailing),
    'webhook deliverer': createWebhookDeliverer(tools, {
      storage,
      dialer: createDialer({ allow: config.webhooksEgressAllow }),
    }),
    'outbox relay': createOutboxRelay({
      ...tools,
      newLeaseToken,
      subscribers: [createWebhookSubscriber(tools, { storage })],
    }),
    retention: createRetentionWorker({
      ...tools,
      newLeaseToken,
      retention: createServerRetention(database, logger),
    }),
  };
  return Object.entries(workers).map(([name, worker]) => ({
    name,
    start: () => worker.start(),
    stop: () => worker.stop(),
  }));
}

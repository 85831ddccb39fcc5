import {
  createDialer,
  createIdempotency,
  createMaintenance,
  createOutboxRelay,
  createRuntime,
  type Idempotency,
  type LifecyclePart,
  type Logger,
  type Maintenance,
  type Runtime,
  type SecretBox,
  type Service,
} from '@probity/core';
import { createRetentionWorker } from '@probity/core/internal';
import { createSqlMaintenanceStorage, type SqlDatabase } from '@probity/core/sql';
import { createAlerts, createGovernance, type ScanStage } from '@probity/governance';
import type { GovernanceServices } from '@probity/governance/koa';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { createConfiguredPipeline, sampleErrors } from '@probity/pipeline/backends';
import type { Platform } from '@probity/platform';
import { createPlatformCapability, type PlatformCapability } from '@probity/platform/koa';
import { createInvoiceRenderer } from '@probity/platform/pdf';
import { createSqlPlatformStorage } from '@probity/platform/sql';
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
import { createServerRetention } from './retention.ts';

/** What an instance is built on. */
export interface InstanceDependencies {
  readonly config: ServerConfig;
  readonly database: SqlDatabase;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Is told how every stage of every scan ended. */
  readonly observeStage?: (stage: ScanStage) => void;
  /** Base of absolute addresses, known once the server is bound. */
  readonly baseUrl: () => string;
}

/** The services of all packages on one database, and the background work that belongs to them. */
export interface Instance {
  readonly services: Platform & GovernanceServices & WebhookServices;
  readonly platform: PlatformCapability;
  readonly idempotency: Idempotency;
  readonly maintenance: Maintenance;
  /** What works in the background, in the order in which it starts. */
  readonly background: readonly LifecyclePart[];
}

/** Wires the packages; nothing runs yet. */
export function createInstance(dependencies: InstanceDependencies): Instance {
  const { config, database, secretBox, logger, baseUrl } = dependencies;
  const runtime = createRuntime({ database, secretBox, logger });
  const { clock, random, ids } = runtime;
  const webhookStorage = createSqlWebhookStorage(database);
  const governanceStorage = createSqlGovernanceStorage(database);
  const platform = createPlatformCapability(runtime, {
    storage: createSqlPlatformStorage(database),
    mailer: createMailer({ config, clock, logger }),
    renderInvoice: createInvoiceRenderer(),
    baseUrl,
  });
  return {
    platform,
    idempotency: createIdempotency({ database, clock }),
    maintenance: createMaintenance({ storage: createSqlMaintenanceStorage(database), clock }),
    services: {
      ...platform.services,
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
        pipeline: createConfiguredPipeline(config.pipeline, {
          onBackendError: sampleErrors((error, keptBack) =>
            logger.warn('a back end of the scanners failed', { error, keptBack }),
          ),
        }),
        ids,
        clock,
        logger,
        ...(dependencies.observeStage ? { observeStage: dependencies.observeStage } : {}),
      }),
      alerts: createAlerts({ storage: governanceStorage }),
    },
    background: [
      ...platform.background,
      ...createBackgroundWork(dependencies, { ...runtime, database, secretBox, webhookStorage }),
    ],
  };
}

/** What the background work of all packages shares. */
interface Tools extends Runtime {
  readonly database: SqlDatabase;
  readonly secretBox: SecretBox;
  readonly webhookStorage: WebhookStorage;
}

function createBackgroundWork({ config }: InstanceDependencies, tools: Tools): LifecyclePart[] {
  const { ids, clock, database, logger, webhookStorage } = tools;
  const newLeaseToken = () => ids.next('job');
  const workers: Record<string, Service> = {
    'webhook deliverer': createWebhookDeliverer({
      ...tools,
      storage: webhookStorage,
      dialer: createDialer({ allow: config.webhooksEgressAllow }),
    }),
    'outbox relay': createOutboxRelay({
      ...tools,
      newLeaseToken,
      subscribers: [createWebhookSubscriber({ storage: webhookStorage, ids, clock })],
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

import type { Capability, Runtime } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createEvidenceCapability } from '@probity/evidence/koa';
import { createSqlEvidenceStorage } from '@probity/evidence/sql';
import type { AlertMembers, ShieldOptions } from '@probity/governance';
import { createGovernanceCapability } from '@probity/governance/koa';
import { createSqlCertificateStorage, createSqlGovernanceStorages } from '@probity/governance/sql';
import { createIntegrationsCapability } from '@probity/integrations/koa';
import { createSqlIntegrationsStorage } from '@probity/integrations/sql';
import type { KnowledgeServices } from '@probity/knowledge';
import { createKnowledgeCapability } from '@probity/knowledge/koa';
import { createSqlKnowledgeStorage } from '@probity/knowledge/sql';
import type { Pipeline } from '@probity/pipeline';
import { redactTexts } from '@probity/pipeline';
import { createConfiguredPipeline, sampleErrors } from '@probity/pipeline/settings';
import type { PlatformStorage } from '@probity/platform';
import type { PlatformCapability } from '@probity/platform/koa';
import { createPlatformCapability } from '@probity/platform/koa';
import { createInvoiceRenderer } from '@probity/platform/pdf';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { createScimCapability } from '@probity/scim/koa';
import { createSqlScimActivityStorage, createSqlScimStorage } from '@probity/scim/sql';
import { createWebhookCapability } from '@probity/webhooks/koa';
import { createSqlWebhookStorage } from '@probity/webhooks/sql';
import type { ServerConfig } from './config.ts';
import { createMailer } from './mailer.ts';
import type { OwnedVectors } from './vectors.ts';

/** What the capabilities are made from. */
export interface CapabilityDependencies {
  readonly runtime: Runtime;
  /** The runtime's database. */
  readonly database: SqlDatabase;
  readonly config: ServerConfig;
  /** Default: in the memory of the process, for commands that search nothing. */
  readonly knowledge?: Pick<OwnedVectors, 'vectors' | 'embedder'> | undefined;
  /** Base of absolute addresses, known once the server is bound. */
  readonly baseUrl: () => string;
}

/** Everything that the server consists of. */
export interface Capabilities {
  /** Authenticates callers and counts their calls. */
  readonly platform: PlatformCapability;
  /** All capabilities, the platform's among them; every part of the server loops over them. */
  readonly all: readonly Capability[];
  /** Scans texts for all capabilities. */
  readonly scanners: Pipeline;
}

/** Creates the capabilities; nothing runs yet. A package that joins the server is one line here. */
export function createCapabilities(dependencies: CapabilityDependencies): Capabilities {
  const { runtime, database, config, baseUrl } = dependencies;
  const { clock, logger } = runtime;
  const scimStorage = createSqlScimStorage(database);
  const platformStorage = createSqlPlatformStorage(database);
  const platform = createPlatformCapability(runtime, {
    storage: platformStorage,
    mailer: createMailer({ config, clock, logger }),
    renderInvoice: createInvoiceRenderer(),
    baseUrl,
    mailLimits: config.mailLimits,
    scimCounts: scimStorage,
  });
  const pipeline = createScanners(dependencies);
  const knowledge = createKnowledgeCapability(runtime, {
    storage: createSqlKnowledgeStorage(database),
    vectors: dependencies.knowledge?.vectors,
    embedder: dependencies.knowledge?.embedder,
  });
  const all = [
    createGovernanceCapability(runtime, {
      ...createSqlGovernanceStorages(database),
      pipeline,
      members: membersOf(platformStorage),
      shield: shieldOptions(dependencies, knowledge.services),
      knowledge: knowledge.services.search,
    }),
    createWebhookCapability(runtime, {
      storage: createSqlWebhookStorage(database),
      targets: { allow: config.webhooksEgressAllow },
      retry: config.webhooksRetry,
      notices: platform.notices,
    }),
    createScimCapability(runtime, {
      storage: scimStorage,
      activity: createSqlScimActivityStorage(database),
      provisioning: platform.services.provisioning,
      access: platform.scimAccess,
      clientCredentials: platform.scimAccess.clientCredentials,
      baseUrl,
    }),
    createEvidenceCapability(runtime, {
      storage: createSqlEvidenceStorage(database),
      retentionDays: config.evidenceRetentionDays,
      redactTexts,
      organizationName: async (id) => (await platformStorage.findOrganization(id))?.name ?? null,
    }),
    knowledge,
    createIntegrationsCapability(runtime, {
      storage: createSqlIntegrationsStorage(database),
      allow: config.integrationsEgressAllow,
      ca: config.integrationsCa ?? undefined,
      microsoft: config.microsoft,
      planOf: async (id) => (await platformStorage.findOrganization(id))?.plan ?? null,
    }),
    platform,
  ];
  return { platform, all, scanners: pipeline };
}

function createScanners({ config, runtime: { logger } }: CapabilityDependencies) {
  return createConfiguredPipeline(config.pipeline, {
    onBackendError: sampleErrors((error, keptBack) =>
      logger.warn('a back end of the scanners failed', { error, keptBack }),
    ),
    onStageError: sampleErrors((error, keptBack) =>
      logger.warn('a stage of the scanners failed', { error, keptBack }),
    ),
  });
}

/** Who can be given an alert: active members of the organization. */
function membersOf(storage: Pick<PlatformStorage, 'findMember'>): AlertMembers {
  return {
    isActiveMember: async (organizationId, id) =>
      (await storage.findMember(organizationId, id))?.status === 'active',
  };
}

function shieldOptions(
  { database, config, baseUrl }: CapabilityDependencies,
  { verification, nuggets }: KnowledgeServices,
): ShieldOptions {
  return {
    storage: createSqlCertificateStorage(database),
    knowledge: { verify: verification.verify, versions: nuggets.versions },
    trustUrl: () => config.trustUrl ?? baseUrl(),
  };
}

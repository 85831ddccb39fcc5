import type { CapabilityDefinition, CapabilityHost, Logger } from '@probity/core';
import {
  isSqlDatabase,
  parsePublicUrl,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { Pipeline, Policy, StageConfig, StageValue } from '@probity/pipeline';
import { createPipeline, defaultStages, parsePolicies } from '@probity/pipeline';
import type { AlertMembers } from './alerts/members.ts';
import { createMemoryCertificateStorage } from './certificates/memory.ts';
import type { CertificateStorage } from './certificates/storage.ts';
import type { Governance } from './governance.ts';
import { createMemoryGovernanceStorages } from './memory.ts';
import type { KnowledgeSource } from './scans/material.ts';
import type { ShieldOptions } from './shield.ts';
import type { GovernanceStorage, GovernanceStorages } from './storage.ts';
import type { KnowledgeBase } from './verification/types.ts';

/** Options of {@link governance}. */
export interface GovernanceSettings {
  /** The stages of the scans and their options; default: every built-in stage that needs none. */
  readonly stages?: readonly (StageConfig | StageValue)[] | undefined;
  /** A pipeline made by the host, such as one with back ends, in place of `stages`. */
  readonly pipeline?: Pipeline | undefined;
  /** The policies that every organization starts with; default the built-in one. */
  readonly policies?: readonly Policy[] | undefined;
  /** A storage of the host for scans and alerts; default: on the database of Probity, as all else always is. */
  readonly storage?: GovernanceStorage | undefined;
  /**
   * A knowledge base of the host: `verify` and `versions`, which texts are verified and certified with, and `nearest`, which gives
   * the truth stages what an organization takes for true; either or both. Default: that of `knowledge()` beside it, if any.
   */
  readonly knowledge?: HostKnowledge | undefined;
  /**
   * Has certificates issued for verified texts, which needs an encryption key; default: only where another capability
   * needs one too.
   */
  readonly certificates?:
    | {
        /** Base of the public addresses of certificates; default: the public URL and the mount. */
        readonly trustUrl?: string | undefined;
      }
    | undefined;
  /** Who can be given an alert; default: any id, as only the application knows its members. */
  readonly members?: AlertMembers | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** A knowledge base of a host; see {@link GovernanceSettings}. */
export type HostKnowledge = (KnowledgeBase & Partial<KnowledgeSource>) | KnowledgeSource;

const SETTINGS = [
  ...['stages', 'pipeline', 'policies', 'storage'],
  ...['knowledge', 'certificates', 'members', 'prefix'],
];

/** What a storage of the host must have; see {@link GovernanceStorage}. */
const STORAGE = [
  ...['findScan', 'listScans', 'readJudgedScans', 'readTimedScans', 'oldestScanAt'],
  ...['findAlert', 'findAlerts', 'listAlerts'],
  ...['countAlertsByHour', 'listAlertActions', 'readTimedAlerts', 'countOpenAlerts', 'transaction'],
];

/**
 * Scans, policies, alerts and certificates, for `createProbity`.
 * @throws TypeError that names the setting at fault
 * @throws PipelineConfigError that names the member of a policy or a stage at fault
 */
export function governance(
  settings: GovernanceSettings = {},
): CapabilityDefinition<'governance', Governance> {
  requireKnownOptions('governance', settings, SETTINGS);
  const { stages, prefix = '', storage, members } = settings;
  if (settings.pipeline && stages) {
    throw new TypeError(
      'governance: pipeline has its own stages; give one of stages and pipeline.',
    );
  }
  const pipeline = settings.pipeline ?? createPipeline({ stages: stages ?? defaultStages() });
  requireFunctions('governance: pipeline', pipeline, ['scan']);
  if (storage !== undefined) requireFunctions('governance: storage', storage, STORAGE);
  if (members !== undefined) {
    requireFunctions('governance: members', members, ['isActiveMember']);
  }
  requirePath('governance: prefix', prefix);
  requireShieldSettings(settings);
  const policies = settings.policies && parsePolicies(settings.policies, { pipeline });
  return {
    name: 'governance',
    needsSecretBox: settings.certificates !== undefined,
    migrations: async () => (await import('./migrations.ts')).governanceMigrations,
    async create(runtime, host) {
      const { createGovernanceCapability } = await import('./capability.ts');
      return createGovernanceCapability(runtime, {
        ...(await createStorages(runtime.database)),
        ...(storage && { storage }),
        knowledge: sourceOf(host, settings),
        pipeline,
        policies,
        members,
        shield: await createShieldOptions(runtime, host, settings),
        prefix,
      });
    },
  };
}

async function createStorages(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<GovernanceStorages> {
  if (!isSqlDatabase(database)) return createMemoryGovernanceStorages(database as never);
  const { createSqlGovernanceStorages } = await import('./sql.ts');
  return createSqlGovernanceStorages(database);
}

const KNOWLEDGE = 'governance: knowledge';

function requireShieldSettings({ knowledge, certificates }: GovernanceSettings): void {
  if (knowledge !== undefined) {
    const isSource = typeof (knowledge as Partial<KnowledgeSource> | null)?.nearest === 'function';
    const names = isSource && !verifies(knowledge) ? ['nearest'] : ['verify', 'versions'];
    requireFunctions(KNOWLEDGE, knowledge, names);
  }
  if (certificates === undefined) return;
  requireKnownOptions('governance: certificates', certificates, ['trustUrl']);
  if (certificates.trustUrl === undefined) return;
  try {
    parsePublicUrl(certificates.trustUrl);
  } catch (cause) {
    const message = `governance: certificates.trustUrl ${(cause as Error).message}`;
    throw new RangeError(message, { cause });
  }
}

async function createShieldOptions(
  { database, logger }: { database: Parameters<typeof isSqlDatabase>[0]; logger: Logger },
  host: CapabilityHost,
  { knowledge, certificates }: GovernanceSettings,
): Promise<ShieldOptions | undefined> {
  const base = knowledge ? verifying(knowledge) : knowledgeOf(host);
  if (!base) {
    if (certificates === undefined) return undefined;
    throw new TypeError(
      'governance: certificates needs a knowledge base: add knowledge() to the capabilities, or give knowledge with ' +
        'verify and versions.',
    );
  }
  if (certificates && certificates.trustUrl === undefined && !host.hasPublicUrl) {
    logger.warn(
      'Certificates name addresses that nobody else can reach: give baseUrl, or certificates.trustUrl of governance()',
      { trust_url: host.baseUrl() },
    );
  }
  const trustUrl = certificates?.trustUrl && parsePublicUrl(certificates.trustUrl);
  return {
    storage: await createCertificateStorage(database),
    knowledge: base,
    trustUrl: () => trustUrl ?? host.baseUrl(),
  };
}

/** What is used of the services of `knowledge()`. */
interface KnowledgeServices {
  readonly search: KnowledgeSource;
  readonly verification: Pick<KnowledgeBase, 'verify'>;
  readonly nuggets: Pick<KnowledgeBase, 'versions'>;
}

function servicesOf(host: CapabilityHost): (() => KnowledgeServices) | null {
  if (!host.capabilities.includes('knowledge')) return null;
  return () => host.servicesOf('knowledge') as KnowledgeServices;
}

/** The knowledge base of `knowledge()`, which may be created after governance. */
function knowledgeOf(host: CapabilityHost): KnowledgeBase | undefined {
  const services = servicesOf(host);
  return (
    (services && {
      verify: (context, content, signal) =>
        services().verification.verify(context, content, signal),
      versions: (context, ids) => services().nuggets.versions(context, ids),
    }) ??
    undefined
  );
}

/** What the truth stages of an organization compare with, beside their options. */
function sourceOf(
  host: CapabilityHost,
  { knowledge }: GovernanceSettings,
): KnowledgeSource | undefined {
  const nearest = (knowledge as Partial<KnowledgeSource> | undefined)?.nearest;
  if (knowledge) return nearest && { nearest: nearest.bind(knowledge) };
  const services = servicesOf(host);
  if (!services) return undefined;
  return {
    nearest: (organizationId, texts, options) =>
      services().search.nearest(organizationId, texts, options),
  };
}

function verifies(knowledge: HostKnowledge): knowledge is KnowledgeBase {
  return 'verify' in knowledge || 'versions' in knowledge;
}

function verifying(knowledge: HostKnowledge): KnowledgeBase | undefined {
  return verifies(knowledge) ? knowledge : undefined;
}

async function createCertificateStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<CertificateStorage> {
  if (!isSqlDatabase(database)) return createMemoryCertificateStorage(database as never);
  const { createSqlCertificateStorage } = await import('./certificates/sql.ts');
  return createSqlCertificateStorage(database);
}

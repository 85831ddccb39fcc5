import type { CapabilityDefinition } from '@probity/core';
import { parseNetworkAllowList } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import { parseBaseUrl } from './base-url.ts';
import { parseCertificates } from './certificates.ts';
import type { CheckIntegration } from './integrations/checks.ts';
import type { MicrosoftEndpoints } from './integrations/clients.ts';
import { MICROSOFT_ENDPOINTS } from './integrations/clients.ts';
import type { Integrations } from './integrations/integrations.ts';
import type { Incidents } from './itsm/incidents.ts';
import { createMemoryIntegrationsStorage } from './memory.ts';
import type { PlanOf } from './routing/worker.ts';
import type { IntegrationsStorage } from './storage.ts';

/** Options of {@link integrations}. */
export interface IntegrationsSettings {
  /**
   * Non-public networks that calls may reach, each with a port or without: `10.1.0.0/16, 127.0.0.1/32:8443`; default
   * none.
   */
  readonly egress?: string | undefined;
  /** PEM certificates of authorities of your own, trusted beside the public ones. */
  readonly ca?: readonly string[] | undefined;
  /** Base URL of Microsoft's token endpoints; default `https://login.microsoftonline.com`. */
  readonly authorityUrl?: string | undefined;
  /** Base URL of Microsoft Graph; default `https://graph.microsoft.com`. */
  readonly graphUrl?: string | undefined;
  /** The plan of an organization, looked up before an alert is sent; default: all may send alerts. */
  readonly planOf?: PlanOf | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: IntegrationsStorage | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** The services of integrations in a host: those of `Integrations`, incidents and the check. */
export interface HostIntegrations extends Integrations {
  readonly incidents: Incidents;
  readonly check: CheckIntegration;
}

const OPTIONS = ['egress', 'ca', 'authorityUrl', 'graphUrl', 'planOf', 'storage', 'prefix'];

/** What a storage of the host must have; see {@link IntegrationsStorage}. */
const STORAGE = [
  ...['listIntegrations', 'findIntegration', 'findConnection', 'findConnectionOf', 'listRouted'],
  ...['listSealedClientSecrets', 'transaction', 'withTenantLock'],
];

/**
 * ServiceNow and Microsoft Teams, for `createProbity`.
 * @throws Error that names the setting at fault
 */
export function integrations(
  settings: IntegrationsSettings = {},
): CapabilityDefinition<'integrations', HostIntegrations> {
  requireKnownOptions('integrations', settings, OPTIONS);
  const { egress = '', ca, planOf, storage, prefix = '' } = settings;
  const allow = parseEgress(egress);
  const microsoft: MicrosoftEndpoints = {
    authorityUrl: baseUrlOf('authorityUrl', settings, MICROSOFT_ENDPOINTS.authorityUrl),
    graphUrl: baseUrlOf('graphUrl', settings, MICROSOFT_ENDPOINTS.graphUrl),
  };
  if (storage !== undefined) requireFunctions('integrations: storage', storage, STORAGE);
  if (ca !== undefined) checkCertificates(ca);
  if (planOf !== undefined && typeof planOf !== 'function') {
    throw new TypeError('integrations: planOf must be a function.');
  }
  requirePath('integrations: prefix', prefix);
  return {
    name: 'integrations',
    needsSecretBox: true,
    migrations: async () => (await import('./migrations.ts')).integrationsMigrations,
    async create(runtime) {
      const { createIntegrationsCapability } = await import('./capability.ts');
      const { services, ...capability } = createIntegrationsCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        allow,
        ca,
        microsoft,
        planOf,
        prefix,
      });
      const { integrations, incidents, check } = services;
      return { ...capability, services: Object.freeze({ ...integrations, incidents, check }) };
    },
  };
}

function checkCertificates(ca: readonly string[]): void {
  if (!Array.isArray(ca)) throw new TypeError('integrations: ca must be a list of PEM texts.');
  try {
    for (const text of ca) parseCertificates(text);
  } catch (cause) {
    throw new RangeError(`integrations: ca: ${(cause as Error).message}`, { cause });
  }
}

function parseEgress(egress: string) {
  if (typeof egress !== 'string') throw new TypeError('integrations: egress must be a text.');
  try {
    return parseNetworkAllowList(egress);
  } catch (cause) {
    throw new RangeError(`integrations: egress: ${(cause as Error).message}`, { cause });
  }
}

function baseUrlOf(
  name: 'authorityUrl' | 'graphUrl',
  settings: IntegrationsSettings,
  fallback: string,
): string {
  try {
    return parseBaseUrl(settings[name] ?? fallback);
  } catch (cause) {
    throw new RangeError(`integrations: ${name} ${(cause as Error).message}`, { cause });
  }
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<IntegrationsStorage> {
  if (!isSqlDatabase(database)) return createMemoryIntegrationsStorage(database as never);
  const { createSqlIntegrationsStorage } = await import('./sql.ts');
  return createSqlIntegrationsStorage(database);
}

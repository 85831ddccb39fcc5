import { dirname } from 'node:path';
import type { CidrList, LogLevel, NetworkAllowList, RateLimits } from '@probity/core';
import type { ConnectionLimits, DatabaseLocation, RetentionPreset } from '@probity/core/internal';
import type { MicrosoftEndpoints } from '@probity/integrations';
import type { EmbedderSettings } from '@probity/knowledge';
import type { PipelineSettings } from '@probity/pipeline/settings';
import type { MailLimits } from '@probity/platform';
import type { WebhookRetryProfile } from '@probity/webhooks';
import type { DatabaseFlags, Environment, ServerFlags, ServerRole } from './command-line.ts';
import { messageOf, StartFailure } from './failure.ts';
import type { Setting, VectorStoreKind } from './settings.ts';
import { SETTINGS } from './settings.ts';

/** The whole configuration of a server (contract, section 2). */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseLocation;
  /** Folder of vectors and of mails without SMTP. */
  readonly dataDir: string;
  /** Whether the first start on SQLite makes an organization and prints its secrets. */
  readonly firstStart: boolean;
  readonly redisUrl: string | null;
  /** Base of every address that is handed out; null for the address bound. */
  readonly publicUrl: string | null;
  /** Base of the public addresses of certificates; null for that of all others. */
  readonly trustUrl: string | null;
  /** The first seals, all open; null where none is set. */
  readonly encryptionKeys: readonly Uint8Array[] | null;
  readonly role: ServerRole;
  /** Null for mails in files. */
  readonly smtpUrl: string | null;
  /** The sender of mails; null for one made from the public address. */
  readonly mailFrom: string | null;
  readonly webhooksEgressAllow: NetworkAllowList;
  readonly webhooksRetry: WebhookRetryProfile;
  readonly integrationsEgressAllow: NetworkAllowList;
  /** Authorities that are trusted beside the public ones; null for none. */
  readonly integrationsCa: readonly string[] | null;
  /** Base URLs of Microsoft's token endpoints and of Graph. */
  readonly microsoft: MicrosoftEndpoints;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: CidrList;
  readonly rateLimits: RateLimits;
  readonly connectionLimits: ConnectionLimits;
  readonly mailLimits: MailLimits;
  /** Stages and back ends of scans; null for the default ones. */
  readonly pipeline: PipelineSettings | null;
  /** Null for the best store that is installed. */
  readonly vectors: VectorStoreKind | null;
  /** Null for the database, or for the Redis of rate limits. */
  readonly vectorsUrl: string | null;
  readonly embeddings: EmbedderSettings;
  readonly retention: RetentionPreset;
  /** Null to keep evidence for good. */
  readonly evidenceRetentionDays: number | null;
  readonly metricsHost: string;
  /** Null for no metrics. */
  readonly metricsPort: number | null;
  /** Whether the port was chosen, so that it is an error when it is taken. */
  readonly isMetricsPortChosen: boolean;
  readonly logLevel: LogLevel;
  /** Whether answers that do not fit their declaration are 500; for tests. */
  readonly checkReplies: boolean;
}

/**
 * Reads flags and variables.
 * @throws StartFailure that names the flag or variable at fault and what it should be
 */
export function readConfig(flags: ServerFlags, env: Environment): ServerConfig {
  const required = <Value>(setting: Setting<Value>, flag?: string) =>
    read(setting, flag, env) as Value;
  const optional = <Value>(setting: Setting<Value>, flag?: string) => read(setting, flag, env);
  const database = readDatabase(flags, env);
  return {
    host: required(SETTINGS.host, flags.host),
    port: required(SETTINGS.port, flags.port),
    database,
    dataDir:
      optional(SETTINGS.dataDir) ?? (database.kind === 'sqlite' ? dirname(database.path) : 'data'),
    firstStart: required(SETTINGS.firstStart),
    redisUrl: optional(SETTINGS.redisUrl, flags.redis),
    publicUrl: optional(SETTINGS.publicUrl, flags.publicUrl),
    trustUrl: optional(SETTINGS.trustUrl),
    encryptionKeys: optional(SETTINGS.encryptionKeys),
    role: required(SETTINGS.role, flags.role),
    smtpUrl: optional(SETTINGS.smtpUrl),
    mailFrom: optional(SETTINGS.mailFrom),
    webhooksEgressAllow: required(SETTINGS.webhooksEgressAllow),
    webhooksRetry: required(SETTINGS.webhooksRetry),
    integrationsEgressAllow: required(SETTINGS.integrationsEgressAllow),
    integrationsCa: optional(SETTINGS.integrationsCa),
    microsoft: {
      authorityUrl: required(SETTINGS.microsoftAuthorityUrl),
      graphUrl: required(SETTINGS.microsoftGraphUrl),
    },
    corsOrigins: required(SETTINGS.corsOrigins),
    trustedProxies: required(SETTINGS.trustedProxies),
    rateLimits: required(SETTINGS.rateLimits),
    connectionLimits: required(SETTINGS.connectionLimits),
    mailLimits: required(SETTINGS.mailLimits),
    pipeline: optional(SETTINGS.pipeline),
    vectors: optional(SETTINGS.vectors),
    vectorsUrl: optional(SETTINGS.vectorsUrl),
    embeddings: required(SETTINGS.embeddings),
    retention: required(SETTINGS.retention),
    evidenceRetentionDays: optional(SETTINGS.evidenceRetentionDays),
    metricsHost: required(SETTINGS.metricsHost),
    metricsPort: required(SETTINGS.metricsPort),
    isMetricsPortChosen: textOf(SETTINGS.metricsPort, undefined, env) !== undefined,
    logLevel: required(SETTINGS.logLevel),
    checkReplies: required(SETTINGS.checkReplies),
  };
}

/** Reads the settings of a command that needs the data, and the encryption keys if there are any. */
export function readKeyConfig(
  flags: DatabaseFlags,
  env: Environment,
): Pick<ServerConfig, 'database' | 'encryptionKeys'> {
  const encryptionKeys = read(SETTINGS.encryptionKeys, undefined, env);
  return { database: readDatabase(flags, env), encryptionKeys };
}

/** Reads where the data is, which every command needs. */
export function readDatabase(flags: DatabaseFlags, env: Environment): DatabaseLocation {
  return read(SETTINGS.database, flags.database, env) as DatabaseLocation;
}

/** The text that was given for a setting, or undefined. */
function textOf<Value>(
  { variable }: Setting<Value>,
  flag: string | undefined,
  env: Environment,
): string | undefined {
  return flag ?? (variable ? env[variable]?.trim() || undefined : undefined);
}

function read<Value>(
  setting: Setting<Value>,
  flag: string | undefined,
  env: Environment,
): Value | null {
  const text = textOf(setting, flag, env) ?? setting.default;
  if (text === null) return null;
  try {
    return setting.parse(text, env);
  } catch (error) {
    const source = flag === undefined ? setting.variable : setting.flag;
    throw new StartFailure(`${source ?? setting.flag}: ${messageOf(error)}`);
  }
}

import {
  type CidrList,
  LOG_LEVELS,
  type LogLevel,
  type NetworkAllowList,
  parseCidrList,
  parseEncryptionKeys,
  parseNetworkAllowList,
  parseRateLimits,
  type RateLimits,
} from '@probity/core';
import {
  type DatabaseLocation,
  parseDatabaseUrl,
  parseMailFrom,
  parsePort,
  parsePublicUrl,
  parseRedisUrl,
  parseSmtpUrl,
} from '@probity/core/internal';
import { type PipelineSettings, readPipelineSettings } from '@probity/pipeline/backends';
import { messageOf, StartFailure } from './failure.ts';

/** What part of the work a process does. */
export const SERVER_ROLES = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** The whole configuration of a server (contract, section 2). */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseLocation;
  readonly redisUrl: string | null;
  /** Base of every address that is handed out; null for the address bound. */
  readonly publicUrl: string | null;
  /** The first seals, all open; null where none is set. */
  readonly encryptionKeys: readonly Uint8Array[] | null;
  readonly role: ServerRole;
  /** Null for mails in files. */
  readonly smtpUrl: string | null;
  /** The sender of mails; null for one made from the public address. */
  readonly mailFrom: string | null;
  readonly webhooksEgressAllow: NetworkAllowList;
  readonly trustedProxies: CidrList;
  readonly rateLimits: RateLimits;
  /** Stages and back ends of scans; null for the default ones. */
  readonly pipeline: PipelineSettings | null;
  /** Null for no metrics. */
  readonly metricsPort: number | null;
  /** Whether the port was chosen, so that it is an error when it is taken. */
  readonly isMetricsPortChosen: boolean;
  readonly logLevel: LogLevel;
}

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Flags of the command line; each overrides its variable. */
export interface ServerFlags {
  readonly host?: string;
  readonly port?: string;
  readonly database?: string;
  readonly redis?: string;
  readonly publicUrl?: string;
  readonly role?: string;
}

/**
 * Reads flags and variables.
 * @throws StartFailure that names the flag or variable at fault and what it should be
 */
export function readConfig(flags: ServerFlags, env: Environment): ServerConfig {
  const given = (name: string) => env[name]?.trim() || undefined;
  const list = <Value>(name: string, parse: (text: string) => Value) =>
    read(name, given(name) ?? '', parse);
  const metricsPort = given('PROBITY_METRICS_PORT');
  return {
    host: flags.host ?? given('PROBITY_HOST') ?? '127.0.0.1',
    port: read(
      source(flags.port, '--port', 'PROBITY_PORT'),
      flags.port ?? given('PROBITY_PORT') ?? '3000',
      parsePort,
    ),
    database: readDatabase(flags, env),
    redisUrl: optional(
      source(flags.redis, '--redis', 'PROBITY_REDIS_URL'),
      flags.redis ?? given('PROBITY_REDIS_URL'),
      parseRedisUrl,
    ),
    publicUrl: optional(
      source(flags.publicUrl, '--public-url', 'PROBITY_PUBLIC_URL'),
      flags.publicUrl ?? given('PROBITY_PUBLIC_URL'),
      parsePublicUrl,
    ),
    encryptionKeys: optional(
      'PROBITY_ENCRYPTION_KEY',
      given('PROBITY_ENCRYPTION_KEY'),
      parseEncryptionKeys,
    ),
    role: read('--role', flags.role ?? 'all', (text) => oneOf(SERVER_ROLES, text)),
    smtpUrl: optional('PROBITY_SMTP_URL', given('PROBITY_SMTP_URL'), parseSmtpUrl),
    mailFrom: optional('PROBITY_MAIL_FROM', given('PROBITY_MAIL_FROM'), parseMailFrom),
    webhooksEgressAllow: list('PROBITY_WEBHOOKS_EGRESS_ALLOW', parseNetworkAllowList),
    trustedProxies: list('PROBITY_TRUSTED_PROXIES', parseCidrList),
    rateLimits: list('PROBITY_RATE_LIMITS', (text) => parseRateLimits(text)),
    pipeline: optional('PROBITY_PIPELINE_CONFIG', given('PROBITY_PIPELINE_CONFIG'), (path) =>
      readPipelineSettings(path, env),
    ),
    metricsPort:
      metricsPort === 'off' ? null : read('PROBITY_METRICS_PORT', metricsPort ?? '9090', parsePort),
    isMetricsPortChosen: metricsPort !== undefined,
    logLevel: read(
      'PROBITY_LOG_LEVEL',
      given('PROBITY_LOG_LEVEL')?.toLowerCase() ?? 'info',
      (text) => oneOf(LOG_LEVELS, text),
    ),
  };
}

/** Reads where the data is, which every command needs. */
export function readDatabase(
  flags: Pick<ServerFlags, 'database'>,
  env: Environment,
): DatabaseLocation {
  const text = flags.database ?? (env.PROBITY_DATABASE_URL?.trim() || 'sqlite:./data/probity.db');
  return read(source(flags.database, '--database', 'PROBITY_DATABASE_URL'), text, parseDatabaseUrl);
}

function source(flag: string | undefined, flagName: string, variable: string): string {
  return flag === undefined ? variable : flagName;
}

function read<Value>(name: string, text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (error) {
    throw new StartFailure(`${name}: ${messageOf(error)}`);
  }
}

function optional<Value>(
  name: string,
  text: string | undefined,
  parse: (text: string) => Value,
): Value | null {
  return text === undefined ? null : read(name, text, parse);
}

function oneOf<Choice extends string>(choices: readonly Choice[], text: string): Choice {
  const choice = choices.find((each) => each === text);
  if (choice) return choice;
  throw new Error(`must be one of ${choices.join(', ')}, not "${text}"`);
}

import { readFileSync } from 'node:fs';
import type { CidrList, LogLevel, NetworkAllowList, RateLimits } from '@probity/core';
import {
  LOG_LEVELS,
  parseCidrList,
  parseEncryptionKeys,
  parseNetworkAllowList,
  parseRateLimits,
} from '@probity/core';
import type { ConnectionLimits, DatabaseLocation, RetentionPreset } from '@probity/core/internal';
import {
  parseConnectionLimits,
  parseDatabaseUrl,
  parseMailFrom,
  parseOrigins,
  parsePort,
  parsePostgresUrl,
  parsePublicUrl,
  parseRedisUrl,
  parseSmtpUrl,
  RETENTION_PRESETS,
} from '@probity/core/internal';
import { MICROSOFT_ENDPOINTS, parseBaseUrl, parseCertificates } from '@probity/integrations';
import type { EmbedderSettings } from '@probity/knowledge';
import type { PipelineSettings } from '@probity/pipeline/settings';
import { readPipelineSettings } from '@probity/pipeline/settings';
import type { MailLimits } from '@probity/platform';
import { parseMailLimits } from '@probity/platform';
import type { WebhookRetryProfile } from '@probity/webhooks';
import { readWebhookRetry } from '@probity/webhooks';
import type { Environment, ServerRole } from './command-line.ts';
import { SERVER_ROLES } from './command-line.ts';
import { readEmbeddings } from './embeddings.ts';

/** Stores of vectors. */
const VECTOR_STORES = ['memory', 'sqlite-vec', 'pgvector', 'redis'] as const;

/** One of {@link VECTOR_STORES}. */
export type VectorStoreKind = (typeof VECTOR_STORES)[number];

/** One setting of the server: where its text comes from, and what it means. */
export interface Setting<Value> {
  /** Flag of `serve`, which overrides the variable. */
  readonly flag?: string;
  readonly variable?: string;
  /** The text that is read where none is given; null for no value. */
  readonly default: string | null;
  /** How documents show the default, where the text alone does not say it. */
  readonly shownDefault?: string;
  /** One line for documents. */
  readonly meaning: string;
  /** @throws Error that says what the text should be */
  parse(text: string, env: Environment): Value;
}

function setting<Value>(declaration: Setting<Value>): Setting<Value> {
  return declaration;
}

/** Every setting of the server, in the order of its documents (contract, section 2). */
export const SETTINGS = {
  host: setting({
    flag: '--host',
    variable: 'PROBITY_HOST',
    default: '127.0.0.1',
    meaning: 'address to bind',
    parse: (text) => text,
  }),
  port: setting({
    flag: '--port',
    variable: 'PROBITY_PORT',
    default: '3000',
    meaning: 'port to bind; 0 picks a free one',
    parse: parsePort,
  }),
  database: setting<DatabaseLocation>({
    flag: '--database',
    variable: 'PROBITY_DATABASE_URL',
    default: 'sqlite:./data/probity.db',
    meaning: '`sqlite:PATH` or `postgres://…`',
    parse: parseDatabaseUrl,
  }),
  dataDir: setting({
    variable: 'PROBITY_DATA_DIR',
    default: null,
    shownDefault: 'the folder of the SQLite database, with PostgreSQL `./data`',
    meaning: 'folder of the files that are not in the database: vectors, and mails without SMTP',
    parse: (text) => text,
  }),
  firstStart: setting<boolean>({
    variable: 'PROBITY_FIRST_START',
    default: 'on',
    meaning:
      'whether the first start on SQLite makes an organization and prints its secrets; with `off` use `probity-server bootstrap`',
    parse: (text) => oneOf(['on', 'off'], text) === 'on',
  }),
  redisUrl: setting({
    flag: '--redis',
    variable: 'PROBITY_REDIS_URL',
    default: null,
    meaning: 'Redis URL for rate limits shared by all instances',
    parse: parseRedisUrl,
  }),
  publicUrl: setting({
    flag: '--public-url',
    variable: 'PROBITY_PUBLIC_URL',
    default: null,
    shownDefault: 'the bound address',
    meaning: 'base of absolute URLs in responses and mails',
    parse: parsePublicUrl,
  }),
  trustUrl: setting({
    variable: 'PROBITY_TRUST_URL',
    default: null,
    shownDefault: 'the public URL',
    meaning: 'base of the public addresses of certificates, and their issuer',
    parse: parsePublicUrl,
  }),
  role: setting<ServerRole>({
    flag: '--role',
    default: 'all',
    meaning: '`api` only serves requests, `worker` only runs background jobs, `all` does both',
    parse: (text) => oneOf(SERVER_ROLES, text),
  }),
  encryptionKeys: setting<readonly Uint8Array[]>({
    variable: 'PROBITY_ENCRYPTION_KEY',
    default: null,
    shownDefault: 'a file beside the database',
    meaning:
      '32 bytes in base64; required on PostgreSQL; during a rotation several, comma separated, the first of which encrypts',
    parse: parseEncryptionKeys,
  }),
  webhooksEgressAllow: setting<NetworkAllowList>({
    variable: 'PROBITY_WEBHOOKS_EGRESS_ALLOW',
    default: '',
    meaning: 'private networks allowed for deliveries, comma separated, such as `10.0.0.0/8:8443`',
    parse: parseNetworkAllowList,
  }),
  webhooksRetry: setting<WebhookRetryProfile>({
    variable: 'PROBITY_WEBHOOKS_RETRY',
    default: 'standard',
    meaning:
      '`standard` (five attempts within 15 seconds), `resilient` (ten within 72 hours), or the path of a JSON file with a schedule',
    parse: readWebhookRetry,
  }),
  integrationsEgressAllow: setting<NetworkAllowList>({
    variable: 'PROBITY_INTEGRATIONS_EGRESS_ALLOW',
    default: '',
    meaning:
      'private networks allowed for calls to ITSM and chat systems, comma separated, such as `10.0.0.0/8:443`',
    parse: parseNetworkAllowList,
  }),
  integrationsCa: setting<readonly string[]>({
    variable: 'PROBITY_INTEGRATIONS_CA_FILE',
    default: null,
    meaning:
      'path of a PEM file with authorities of your own, trusted beside the public ones for these calls',
    parse: (path) => parseCertificates(readFileSync(path, 'utf8')),
  }),
  microsoftAuthorityUrl: setting<string>({
    variable: 'PROBITY_MICROSOFT_AUTHORITY_URL',
    default: MICROSOFT_ENDPOINTS.authorityUrl,
    meaning: "base URL of Microsoft's token endpoints, another one in national clouds",
    parse: parseBaseUrl,
  }),
  microsoftGraphUrl: setting<string>({
    variable: 'PROBITY_MICROSOFT_GRAPH_URL',
    default: MICROSOFT_ENDPOINTS.graphUrl,
    meaning: 'base URL of Microsoft Graph, another one in national clouds',
    parse: parseBaseUrl,
  }),
  corsOrigins: setting<readonly string[]>({
    variable: 'PROBITY_CORS_ORIGINS',
    default: '',
    meaning:
      'origins of pages that may call the API with a bearer token, comma separated, such as `https://app.example.com`',
    parse: parseOrigins,
  }),
  trustedProxies: setting<CidrList>({
    variable: 'PROBITY_TRUSTED_PROXIES',
    default: '',
    meaning: 'CIDRs of proxies with a trusted `X-Forwarded-For`, comma separated',
    parse: parseCidrList,
  }),
  rateLimits: setting<RateLimits>({
    variable: 'PROBITY_RATE_LIMITS',
    default: '',
    shownDefault:
      '`platform=100/60,general=1000/60,evidence=5000/3600,scim=3000/60,session=600/60`',
    meaning:
      'requests/seconds per API key, per signed-in member (`session`), or per client address without either; replaces the limits of all plans',
    parse: (text) => parseRateLimits(text),
  }),
  connectionLimits: setting<ConnectionLimits>({
    variable: 'PROBITY_CONNECTION_LIMITS',
    default: '',
    shownDefault: '`connections=10000,address_connections=1000,requests=2000,address_requests=500`',
    meaning:
      'open connections, and requests whose answer was not taken yet, in all and per client address',
    parse: parseConnectionLimits,
  }),
  mailLimits: setting<MailLimits>({
    variable: 'PROBITY_MAIL_LIMITS',
    default: '',
    shownDefault:
      '`recipient=10/86400,domain=250/86400,organization=500/86400,reset=5/3600,notice=100/86400`',
    meaning:
      'mails/seconds: invitations to one mailbox, of one organization to one domain and in all, password resets to one mailbox, notices to the owners of one organization',
    parse: parseMailLimits,
  }),
  retention: setting<RetentionPreset>({
    variable: 'PROBITY_RETENTION',
    default: 'standard',
    meaning:
      'terms of retention: `standard`, or `eu-ai-act`, which keeps audit logs, scans, resolved alerts and evidence for 184 days at least',
    parse: (text) => oneOf(RETENTION_PRESETS, text),
  }),
  evidenceRetentionDays: setting<number | null>({
    variable: 'PROBITY_EVIDENCE_RETENTION_DAYS',
    default: 'off',
    meaning:
      'days after which evidence is removed, while its hashes stay in the chain; `off` keeps it for good',
    parse: (text) => (text === 'off' ? null : parseDays(text)),
  }),
  metricsHost: setting({
    variable: 'PROBITY_METRICS_HOST',
    default: '127.0.0.1',
    meaning:
      'address to bind for metrics, which need no key; an outer one only within your network',
    parse: (text) => text,
  }),
  metricsPort: setting<number | null>({
    variable: 'PROBITY_METRICS_PORT',
    default: '9090',
    meaning: 'port of Prometheus metrics at `/metrics`; 0 picks a free one, `off` for none',
    parse: (text) => (text === 'off' ? null : parsePort(text)),
  }),
  smtpUrl: setting({
    variable: 'PROBITY_SMTP_URL',
    default: null,
    meaning: '`smtp://…` or `smtps://…`; by default mails are files in `outbox` in the data folder',
    parse: parseSmtpUrl,
  }),
  mailFrom: setting({
    variable: 'PROBITY_MAIL_FROM',
    default: null,
    shownDefault: '`Probity <no-reply@…>`',
    meaning: 'sender address of mails',
    parse: parseMailFrom,
  }),
  pipeline: setting<PipelineSettings>({
    variable: 'PROBITY_PIPELINE_CONFIG',
    default: null,
    meaning: 'path of a JSON file with the stages, their options and back ends',
    parse: (path, env) => readPipelineSettings(path, env),
  }),
  vectors: setting<VectorStoreKind>({
    variable: 'PROBITY_KNOWLEDGE_VECTORS',
    default: null,
    shownDefault: '`sqlite-vec`, or `memory` where npm has not installed its extension',
    meaning:
      'where the vectors of knowledge bases are: `sqlite-vec` (the file `vectors.db` in the data folder), `pgvector`, `redis`, or `memory`',
    parse: (text) => oneOf(VECTOR_STORES, text),
  }),
  vectorsUrl: setting<string>({
    variable: 'PROBITY_KNOWLEDGE_VECTORS_URL',
    default: null,
    shownDefault: '`PROBITY_DATABASE_URL` or `PROBITY_REDIS_URL`',
    meaning: 'URL of the PostgreSQL with pgvector, or of the Redis, that keeps the vectors',
    parse: (text) => (/^rediss?:/.test(text) ? parseRedisUrl(text) : parsePostgresUrl(text)),
  }),
  embeddings: setting<EmbedderSettings>({
    variable: 'PROBITY_EMBEDDINGS',
    default: 'built-in',
    meaning:
      'what makes the vectors: `built-in`; `openai`, a server of that protocol with `PROBITY_EMBEDDINGS_URL`, `_MODEL`, `_KEY`, `_DIMENSIONS`, `_BATCH` and `_TIMEOUT_MS`; `onnx`, a local model in the folder `PROBITY_EMBEDDINGS_MODEL`',
    parse: readEmbeddings,
  }),
  logLevel: setting<LogLevel>({
    variable: 'PROBITY_LOG_LEVEL',
    default: 'info',
    meaning: LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
    parse: (text) => oneOf(LOG_LEVELS, text.toLowerCase()),
  }),
  checkReplies: setting<boolean>({
    variable: 'PROBITY_CHECK_REPLIES',
    default: 'off',
    meaning: 'for tests: with `on`, a response that does not match its declaration becomes 500',
    parse: (text) => oneOf(['on', 'off'], text) === 'on',
  }),
} as const;

function oneOf<Choice extends string>(choices: readonly Choice[], text: string): Choice {
  const choice = choices.find((each) => each === text);
  if (choice) return choice;
  throw new Error(`must be one of ${choices.join(', ')}, not "${text}"`);
}

/** At most a hundred years. */
function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= 36_525) return days;
  throw new Error(`must be off or a whole number of days from 1 to 36525, not "${text}"`);
}

import { host, printable, word } from './forms.ts';
import { flag, key, oneOf, section, whole } from './key-kinds.ts';

/** The keys below `database`. */
export const databaseKeys = section('Connections of the audit database.', {
  pool_size: key(whole(1, 1_000, 20), 'LR', 'Connections that are kept.'),
  max_overflow: key(whole(0, 1_000, 40), 'LR', 'Further connections under load, closed when idle.'),
  pool_timeout_sec: key(whole(0, 3_600, 30), 'LR', 'Seconds to wait for a free connection.'),
  query_timeout_sec: key(whole(1, 3_600, 10), 'LR', 'Seconds a statement may take.'),
  ssl_mode: key(
    oneOf(['require', 'prefer', 'allow', 'disable'], 'require'),
    'LR',
    'TLS of PostgreSQL; ignored for SQLite.',
  ),
});

/** The keys below `caching`. */
export const cachingKeys = section('The cache of scans and of vectors.', {
  enabled: key(flag(false), 'L', 'Whether results of scans are kept for equal texts.'),
  host: key(host.optional(), 'LR', 'Cache server (Redis protocol).', {
    'x-without': 'kept in the process',
    'x-example': '127.0.0.1',
  }),
  port: key(whole(1, 65_535, 6_379), 'LR', 'Port of the cache server.'),
  ttl_seconds: key(whole(1, 31_536_000, 3_600), 'L', 'Seconds that a result is kept.'),
  key_prefix: key(printable.default(''), 'L', 'First part of each key.'),
  max_items: key(
    whole(1, 100_000_000, 100_000),
    'L',
    'Most entries that are kept; the least recently used go first.',
  ),
  password: key(word.optional(), 'LR', 'Password of the cache server, as `${NAME}`.', {
    'x-secret': true,
  }),
  ssl: key(flag(false), 'LR', 'Whether the cache server is reached over TLS.'),
});

const BUILT_IN_MODEL = 'local-hash-';

/** The name of the model that is part of the gateway, for vectors of a length. */
export function builtInModel(dimension: number): string {
  return `${BUILT_IN_MODEL}${dimension}`;
}

/** The length of the vectors of a model that is part of the gateway; undefined for another model. */
export function builtInDimension(model: string): number | undefined {
  const dimension = Number(model.slice(BUILT_IN_MODEL.length));
  return builtInModel(dimension) === model ? dimension : undefined;
}

const DIMENSION = 1_536;

/** The keys below `embeddings`. */
export const embeddingKeys = section('Vectors of the knowledge base.', {
  provider: key(
    oneOf(['sqlite-vec', 'pgvector', 'redis'], 'sqlite-vec'),
    'LR',
    'Store of the vectors.',
  ),
  dimension: key(whole(1, 16_384, DIMENSION), 'R', 'Length of the vectors.'),
  model: key(word.optional(), 'LR', 'Model that makes the vectors.', {
    'x-without': `\`${builtInModel(DIMENSION)}\`, the built-in model, with the number of \`dimension\``,
    'x-example': builtInModel(DIMENSION),
  }),
  batch_size: key(whole(1, 4_096, 32), 'L', 'Texts in one call of the model.'),
  fail_open: key(
    flag(true),
    'L',
    'What follows when store or model fail: true goes on without the truth stages, false blocks.',
  ),
});

/** The keys below `compliance`. */
export const complianceKeys = section('Personal data in what is stored and logged.', {
  gdpr_mode: key(
    flag(false),
    'L',
    'Client addresses are stored as networks (/24, /48) and user ids as keyed hashes; everything recorded is deleted after `pii_retention_days`.',
  ),
  hipaa_mode: key(
    flag(false),
    'L',
    'Every scan is recorded and kept for six years at least, values are hashed, and personal data fails closed; other values of these keys are overridden.',
  ),
  pii_retention_days: key(
    whole(0, 3_650, 30),
    'L',
    'Days until records of scans with personal data are deleted; 0 stores none.',
  ),
  audit_logging: key(
    flag(true),
    'L',
    'Whether reloads, erasures and scans that an allowlist lets through are recorded, in a hash chain.',
  ),
  hash_pii_in_logs: key(
    flag(true),
    'L',
    'Whether logs and records have a keyed hash (HMAC-SHA-256) of the values found; else all but their last four characters is masked.',
  ),
});

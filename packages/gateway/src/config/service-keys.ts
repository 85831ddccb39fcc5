import { z } from 'zod';
import { headerName, headerValue, host, httpUrl, pageOrigin, tableName, word } from './forms.ts';
import { flag, key, oneOf, path, section, share, textOf, whole } from './key-kinds.ts';
import { AZURE_API_VERSION } from './provider-addresses.ts';

/** The keys below `server`. */
export const serverKeys = section('Listeners and the limits of one scan.', {
  host: key(host.default('0.0.0.0'), 'R', 'Address that all listeners bind to.'),
  port: key(whole(0, 65_535, 50_052), 'R', 'Port of gRPC; 0 picks a free one.'),
  workers: key(
    z.int().min(1).max(256).optional(),
    'R',
    'Number of serving processes; with 1 the program itself serves.',
    { 'x-without': '4, or the number of processors where that is less', 'x-example': 4 },
  ),
  request_timeout_ms: key(
    whole(1, 3_600_000, 30_000),
    'L',
    'Total time of a scan in milliseconds; a scan that takes longer is answered with 504 (gRPC: DEADLINE_EXCEEDED).',
  ),
  max_payload_size: key(
    whole(1, 1_073_741_824, 10_485_760),
    'L',
    'Largest request in bytes; a larger one is answered with 413 (gRPC: RESOURCE_EXHAUSTED). The limit of gRPC needs a restart.',
  ),
});

const provider = z
  .strictObject({
    base_url: key(
      httpUrl('https://models.example.com/v1').optional(),
      'L',
      'Address of the provider, to which the paths of its interface are added.',
      {
        'x-without': 'the address of the provider, where its id is known',
        'x-example': 'https://models.example.com/v1',
      },
    ),
    enabled: key(flag(false), 'L', 'Whether models of the provider may be called.'),
    api_key: key(word.optional(), 'L', "The provider's API key, as `${NAME}`.", {
      'x-secret': true,
    }),
    headers: key(
      z.record(headerName, headerValue).default({}),
      'L',
      "Headers of calls to the provider, such as `openai-organization` or `anthropic-beta`; a client's own ones are not passed on.",
      { 'x-example': { 'openai-organization': 'org-example' } },
    ),
    models: key(
      z
        .record(
          word,
          z
            .strictObject({
              enabled: key(flag(false), 'L', 'Whether the model may be called.'),
              max_requests_per_minute: key(
                z.int().min(1).max(1_000_000_000).optional(),
                'L',
                'Most requests to the model within a minute: a sliding window. The models of `*` share it.',
                { 'x-without': 'no limit' },
              ),
            })
            .prefault({}),
        )
        .default({}),
      'L',
      'The models of the provider by their ids; `*` is every model that is not listed.',
    ),
    deployment: key(
      word.optional(),
      'L',
      'Deployment of a model at Azure, called instead of the model.',
      { 'x-without': 'the name of the model' },
    ),
    api_version: key(
      textOf('a version such as 2025-01-31', /^[\w.-]{1,64}$/).optional(),
      'L',
      "Version of Azure's interface. Calls go to the deployment, else to one with the name of the model.",
      { 'x-without': `${AZURE_API_VERSION} with \`deployment\` or the id \`azure\`` },
    ),
  })
  .prefault({});

const fallback = z.strictObject({
  model: key(word, 'L', 'The model that is asked for: `MODEL` or `PROVIDER/MODEL`.', {
    'x-example': 'gpt-4o',
  }),
  to: key(z.array(word).min(1).max(16), 'L', 'The models that answer in its place.', {
    'x-example': ['azure/gpt-4o'],
  }),
});

const tokenBudget = z.strictObject({
  key: key(word, 'L', 'The name of an API key; `*` for each key that has no budget of its own.', {
    'x-example': 'ci',
  }),
  tokens_per_day: key(
    z.int().min(0).max(1_000_000_000_000),
    'L',
    'Tokens a day; a call is refused where what it may use is more than what is left.',
    { 'x-example': 1_000_000 },
  ),
  answer_tokens: key(
    z.int().min(0).max(1_000_000_000).default(4_096),
    'L',
    'Tokens that are reserved for the answer of a call that says no maximum itself (`max_tokens` and the like).',
  ),
});

/** The keys below `models`. */
export const modelKeys = section('Providers of models, for the model proxy.', {
  providers: key(z.record(word, provider).default({}), 'L', 'Providers by their ids.'),
  redact: key(
    oneOf(['off', 'mask', 'reversible'], 'off'),
    'L',
    'Personal data in calls to models: `off` blocks from the threshold on, `mask` replaces it with placeholders, `reversible` replaces it with tokens towards the model and puts it back in the answer.',
  ),
  retries: key(
    whole(0, 10, 2),
    'L',
    'Further attempts where a provider cannot be reached, or answers with 408, 425, 429 or 5xx.',
  ),
  fallbacks: key(
    z.array(fallback).max(1_000).default([]),
    'L',
    'Models that answer in place of another one, in order, where its attempts have failed.',
  ),
  token_budgets: key(
    z.array(tokenBudget).max(10_000).default([]),
    'L',
    'Tokens of requests and answers that API keys may use a day (UTC).',
  ),
  media: key(
    oneOf(['refuse', 'flag', 'pass'], 'refuse'),
    'L',
    'What becomes of images, files and other parts of requests and answers that have no text to scan: `refuse` blocks, `flag` and `pass` pass them on and name them in the header `X-Probity-Unscanned` and in the log.',
  ),
  timeout_ms: key(
    whole(1, 3_600_000, 600_000),
    'L',
    'Milliseconds that a provider may take until its answer begins, and between two parts of it.',
  ),
});

/** The keys below `rate_limiting`. */
export const rateLimitKeys = section('How many requests are taken.', {
  enabled: key(flag(true), 'L', 'Whether requests are limited.'),
  requests_per_second: key(
    whole(1, 1_000_000_000, 1_000),
    'L',
    'Requests per second of all clients together: a token bucket that holds the requests of one second.',
  ),
  per_client: section('Limits of one client: an API key, else the address.', {
    requests_per_minute: key(
      whole(1, 1_000_000_000, 10_000),
      'L',
      'Requests per minute at which the bucket of a client fills.',
    ),
    burst_size: key(
      whole(1, 1_000_000_000, 100),
      'L',
      'Requests that a client may send at once: the depth of its bucket.',
    ),
  }),
  rate_limit_exceeded_status: key(
    whole(400, 599, 429),
    'L',
    'HTTP status of a refused request; gRPC answers RESOURCE_EXHAUSTED.',
  ),
});

/** The keys below `audit`. */
export const auditKeys = section('The audit table of scans.', {
  enabled: key(flag(true), 'L', 'Whether scans are recorded.'),
  table_name: key(tableName.default('gateway_audit'), 'R', 'Name of the table.'),
  retention_days: key(whole(1, 3_650, 90), 'L', 'Days until a record is deleted.'),
  sample_rate: key(
    share(0.1),
    'L',
    'Share of allowed scans that are recorded; all others are recorded always.',
  ),
});

const signingKey = textOf(
  'at least 16 characters; two keys, the new one first, are separated by a comma',
  (text) => text.split(',').length <= 2 && text.split(',').every((part) => part.length >= 16),
);

/** The keys below `security`. */
export const securityKeys = section('Client certificates and signed requests.', {
  mtls_enabled: key(
    flag(false),
    'R',
    'Whether all listeners demand a client certificate of the CA; needs the three paths.',
  ),
  client_cert_path: key(path.optional(), 'L', "The gateway's own certificate (PEM)."),
  client_key_path: key(path.optional(), 'L', 'The key of the certificate (PEM).'),
  ca_cert_path: key(path.optional(), 'L', 'The CA of client certificates (PEM).'),
  cors_origins: key(
    z.array(pageOrigin).max(1_000).default([]),
    'L',
    'Origins of pages that may call the gateway over HTTP with an API key.',
    { 'x-example': ['https://app.example.com'] },
  ),
  request_signing: key(
    z.boolean().optional(),
    'L',
    'Whether scans need the headers `x-signature` and `x-signature-timestamp`; needs `signing_key`.',
    { 'x-without': 'true where `signing_key` is set' },
  ),
  signing_key: key(
    signingKey.optional(),
    'L',
    'Key of the signatures (HMAC-SHA-256), as `${NAME}`; during a rotation `new,old`.',
    { 'x-secret': true },
  ),
});

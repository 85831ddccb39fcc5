import { RATE_LIMIT_CLASSES } from '../contract/rate-limits.ts';
import { parseCidrList } from '../outbound/networks.ts';
import { RETENTION_PRESETS } from '../retention/presets.ts';
import type { CapabilityDefinition } from './definition.ts';
import { readKeys } from './keys.ts';
import { requireKnownOptions } from './known-options.ts';
import { requireFunctions, requirePath, shown } from './member-checks.ts';
import type { ProbityOptions } from './options.ts';

const OPTIONS: readonly string[] = [
  ...['database', 'authenticate', 'capabilities', 'mount', 'encryptionKey', 'baseUrl', 'docs'],
  ...['logger', 'metrics', 'rateLimits', 'trustedProxies', 'retention', 'clock'],
];

type Options = ProbityOptions<readonly CapabilityDefinition[]>;

/**
 * Checks the options of `createProbity`, so that a wrong one fails at the start and not with every
 * request.
 * @throws TypeError that names the option at fault
 */
export function checkOptions(options: Options): void {
  requireKnownOptions('createProbity', options ?? {}, OPTIONS);
  const { database, authenticate, capabilities, mount, encryptionKey, docs } = options ?? {};
  if (!database) throw new TypeError('createProbity: database is missing, for instance "memory".');
  if (typeof authenticate !== 'function') {
    throw new TypeError('createProbity: authenticate must be a function of a request.');
  }
  checkCapabilities(capabilities);
  if (docs !== undefined && typeof docs !== 'boolean') {
    throw new TypeError(`createProbity: docs must be true or false, not ${shown(docs)}.`);
  }
  if (mount !== undefined) requirePath('createProbity: mount', mount);
  if (encryptionKey !== undefined) readKeys('createProbity: encryptionKey', encryptionKey);
  checkAddresses(options);
  checkRateLimits(options);
  checkRetention(options);
  for (const [name, functions] of Object.entries(FUNCTIONS)) {
    const value = options[name as keyof typeof FUNCTIONS];
    if (value !== undefined) requireFunctions(`createProbity: ${name}`, value, functions);
  }
}

const FUNCTIONS = {
  logger: ['debug', 'info', 'warn', 'error'],
  metrics: ['count', 'observe', 'gauge'],
  clock: ['now', 'monotonicMs', 'setTimer'],
} as const;

function checkCapabilities(capabilities: Options['capabilities']): void {
  if (!Array.isArray(capabilities) || capabilities.length === 0) {
    throw new TypeError('createProbity: capabilities must be a list such as [governance()].');
  }
  const uncalled = capabilities.findIndex((each) => typeof each?.create !== 'function');
  if (uncalled >= 0) {
    throw new TypeError(
      `createProbity: capabilities.${uncalled} is no capability; call it, as in governance().`,
    );
  }
  const names = capabilities.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new TypeError(`createProbity: capabilities has ${repeated} twice.`);
}

function checkAddresses({ baseUrl, trustedProxies }: Options): void {
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) {
    const example = 'https://app.example.com';
    throw new TypeError(
      `createProbity: baseUrl must be the server's URL such as ${example}, not ${shown(baseUrl)}.`,
    );
  }
  if (trustedProxies === undefined) return;
  if (typeof trustedProxies !== 'string') {
    const found = shown(trustedProxies);
    throw new TypeError(
      `createProbity: trustedProxies must be a text such as "10.0.0.0/8, ::1/128", not ${found}.`,
    );
  }
  try {
    parseCidrList(trustedProxies);
  } catch (cause) {
    throw new TypeError(`createProbity: trustedProxies: ${(cause as Error).message}`, { cause });
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function checkRateLimits({ rateLimits }: Options): void {
  if (rateLimits === undefined) return;
  requireFunctions('createProbity: rateLimits.limiter', rateLimits?.limiter, ['consume']);
  for (const name of RATE_LIMIT_CLASSES) {
    const { requests, windowSeconds } = rateLimits.limits?.[name] ?? {};
    if (isPositive(requests) && isPositive(windowSeconds)) continue;
    throw new TypeError(
      `createProbity: rateLimits.limits.${name} must be { requests, windowSeconds }, both above 0; ` +
        'change DEFAULT_RATE_LIMITS, which has all of them.',
    );
  }
}

function checkRetention({ retention = 'standard' }: Options): void {
  if (RETENTION_PRESETS.includes(retention)) return;
  const names = RETENTION_PRESETS.join(', ');
  throw new TypeError(`createProbity: retention must be one of ${names}, not ${shown(retention)}.`);
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

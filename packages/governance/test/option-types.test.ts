import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Authenticate,
  CallContext,
  LoggerOptions,
  ProbityOptions,
  RuntimeOptions,
} from '@probity/core';
import { createProbity } from '@probity/core';
import type { RouterOptions } from '@probity/core/koa';
import type { KyselyOptions, PostgresOptions, SqliteOptions } from '@probity/core/sql';
import type {
  GuardOptions,
  PipelineConfig,
  PipelineDependencies,
  Policy,
  PolicyCheckOptions,
  PolicyRule,
  RedactorOptions,
  ScanInput,
  StageConfig,
  StreamScannerOptions,
} from '@probity/pipeline';
import { createGuard } from '@probity/pipeline';
import type { GovernanceCapabilityOptions } from '../src/capability.ts';
import type { GovernanceSettings } from '../src/definition.ts';
import { governance } from '../src/definition.ts';

/** The names of the optional members. */
type Optional<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name> ? Name : never;
}[keyof Options];

/** Compiles under `exactOptionalPropertyTypes` only if every optional member may be undefined. */
function acceptUndefined<Options>(
  ..._proof: Record<Optional<Options>, undefined> extends Pick<Options, Optional<Options>>
    ? []
    : [never]
): void {}

test('optional members of options may be undefined, as values of the environment are', () => {
  acceptUndefined<ProbityOptions<never>>();
  acceptUndefined<CallContext>();
  acceptUndefined<LoggerOptions>();
  acceptUndefined<RuntimeOptions>();
  acceptUndefined<RouterOptions>();
  acceptUndefined<PostgresOptions>();
  acceptUndefined<SqliteOptions>();
  acceptUndefined<KyselyOptions>();
  acceptUndefined<GuardOptions>();
  acceptUndefined<PipelineConfig>();
  acceptUndefined<StageConfig>();
  acceptUndefined<PipelineDependencies>();
  acceptUndefined<PolicyCheckOptions>();
  acceptUndefined<Policy>();
  acceptUndefined<PolicyRule>();
  acceptUndefined<RedactorOptions>();
  acceptUndefined<ScanInput>();
  acceptUndefined<StreamScannerOptions>();
  acceptUndefined<GovernanceSettings>();
  acceptUndefined<GovernanceCapabilityOptions>();
});

test('an undefined option is the default one', async (t) => {
  const authenticate: Authenticate = () => undefined;
  const probity = createProbity({
    database: 'memory',
    authenticate,
    capabilities: [governance({ pipeline: undefined, policies: undefined, prefix: undefined })],
    ...{ mount: undefined, encryptionKey: undefined, baseUrl: undefined, logger: undefined },
    ...{ metrics: undefined, rateLimits: undefined, trustedProxies: undefined, clock: undefined },
  });
  t.after(() => probity.stop());
  assert.equal((await probity.fetch(new Request('http://h/probity/alerts'))).status, 401);
  assert.equal((await probity.fetch(new Request('http://h/probity/status'))).status, 200);
  const guard = createGuard({ pipeline: undefined, policies: undefined });
  const input = { prompt: 'Hello', response: undefined, context: undefined, system: undefined };
  const { text, prompt, response } = await guard.check(input, { signal: undefined });
  assert.deepEqual([text, prompt, response], ['Hello', 'Hello', null]);
});

import { resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../crypto/random.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import type { Traffic } from '../http/traffic.ts';
import { createIdempotency } from '../idempotency/idempotency.ts';
import { createLifecycle } from '../lifecycle/lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import { parseCidrList } from '../outbound/networks.ts';
import { createBackground } from '../program/background.ts';
import { exposeQueues } from '../program/metrics.ts';
import type { Capability } from '../runtime/capability.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createRuntime } from '../runtime/runtime.ts';
import { createScopedTokens } from '../scoped-tokens/authentication.ts';
import { createKeyFile } from '../sealing/key-file.ts';
import { settleEncryptionKeys } from '../sealing/settle.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { isSqlDatabase } from '../sql/is-sql.ts';
import type { Migration } from '../sql/migration.ts';
import type { Database } from '../storage/database.ts';
import type { Tenants } from '../tenants/tenants.ts';
import { createTenants } from '../tenants/tenants.ts';
import type { CapabilityDefinition, ServicesOf } from './definition.ts';
import type { HostKeys } from './key-rotation.ts';
import { rotateHostKeys } from './key-rotation.ts';
import { readKeys } from './keys.ts';
import { nameMissing } from './missing-package.ts';
import type { OpenDatabase } from './open-database.ts';
import { KEY_FILE, openDatabase } from './open-database.ts';
import type { OpenedProbity } from './opened.ts';
import type { ProbityOptions } from './options.ts';

/** Opens Probity once, at the first use. */
export interface Opening<Definitions extends readonly CapabilityDefinition[]> {
  open(): Promise<OpenedProbity<Definitions>>;
  migrate(): Promise<string[]>;
  close(): Promise<void>;
}

type OpeningOptions<Definitions extends readonly CapabilityDefinition[]> =
  ProbityOptions<Definitions> & { readonly logger: Logger; readonly traffic: Traffic };

/** Creates the opening; a failed one is tried again at the next use. */
export function createOpening<Definitions extends readonly CapabilityDefinition[]>(
  options: OpeningOptions<Definitions>,
): Opening<Definitions> {
  const { logger } = options;
  const connecting = onceUntilFailure(() => openDatabase(options.database, logger));
  const opening = onceUntilFailure(async () => {
    const connection = await connecting.get();
    await requireMigrated(connection.database, options);
    return assemble(connection, options);
  });
  return {
    open: opening.get,
    async migrate() {
      const { database } = await connecting.get();
      const applied = isSqlDatabase(database) ? await migrateAll(database, options) : [];
      await opening.get();
      return applied;
    },
    async close() {
      await (await opening.settled())?.lifecycle.stop();
      const connection = await connecting.settled();
      if (connection?.isOwn) await connection.database.close();
    },
  };
}

/** Runs `work` at the first call, and again after a failure; every call gets the same result. */
function onceUntilFailure<Value>(work: () => Promise<Value>) {
  let running: Promise<Value> | undefined;
  return {
    get(): Promise<Value> {
      running ??= work().catch((error: unknown) => {
        running = undefined;
        throw error;
      });
      return running;
    },
    /** The result when there is one or will be, without starting the work. */
    settled: (): Promise<Value | undefined> =>
      running?.catch(() => undefined) ?? Promise.resolve(undefined),
  };
}

async function migrationsOf(
  definitions: readonly CapabilityDefinition[],
): Promise<readonly Migration[]> {
  const { coreMigrations } = await import('../sql/migrations.ts');
  const lists = await Promise.all(definitions.map((definition) => definition.migrations()));
  return [...coreMigrations, ...lists.flat()];
}

async function migrateAll(
  database: SqlDatabase,
  { capabilities, logger }: OpeningOptions<readonly CapabilityDefinition[]>,
): Promise<string[]> {
  const { migrate } = await import('../sql/migrator.ts');
  return migrate(database, await migrationsOf(capabilities), {
    onProgress: (progress) => logger.info('migration in progress', { ...progress }),
  });
}

async function requireMigrated(
  database: Database,
  { capabilities }: Pick<ProbityOptions<readonly CapabilityDefinition[]>, 'capabilities'>,
): Promise<void> {
  if (!isSqlDatabase(database)) return;
  const { pendingMigrations } = await import('../sql/migrator.ts');
  const pending = await pendingMigrations(database, await migrationsOf(capabilities));
  if (pending.length === 0) return;
  throw new Error(
    `The database lacks tables of Probity (${pending.length} migrations are pending, the first is ` +
      `${pending[0]}): call await probity.migrate() once at the start or in the deployment.`,
  );
}

async function assemble<Definitions extends readonly CapabilityDefinition[]>(
  connection: OpenDatabase,
  options: OpeningOptions<Definitions>,
): Promise<OpenedProbity<Definitions>> {
  const { database } = connection;
  const { logger, clock = systemClock, metrics, mount = '/probity' } = options;
  const { baseUrl = 'http://localhost:3000' } = options;
  const needsKeys = options.capabilities.some((definition) => definition.needsSecretBox);
  // A capability may seal without needing to, as governance does for batches.
  const keys =
    needsKeys || configuredKey(options) ? await openKeys(connection, options) : undefined;
  const secretBox = keys?.secretBox;
  const tenants = createTenants(database, clock);
  const runtime = createRuntime({ database, clock, logger, metrics, secretBox, tenants });
  const created: Capability[] = [];
  const servicesOf = (capability: string) =>
    created.find(({ name }) => name === capability)?.services;
  const capabilities = options.capabilities.map(({ name }) => name);
  const host = {
    ...{ tenants, mount, capabilities, servicesOf },
    baseUrl: () => baseUrl + mount,
    hasPublicUrl: options.baseUrl !== undefined,
  };
  for (const definition of options.capabilities) {
    created.push(await definition.create(runtime, host).catch(explainHttp));
  }
  exposeQueues(runtime.metrics, runtime, created);
  const services = Object.fromEntries(created.map((each) => [each.name, each.services]));
  const parts = [
    ...created.flatMap(({ serving = [] }) => serving),
    ...createBackground(runtime, created, options.retention),
  ];
  const http = await loadHttp();
  const groups = http.createHostGroups(created, {
    ...{ database, docs: options.docs },
    baseUrl: documentBase(options),
  });
  return {
    database,
    tenants,
    services: Object.freeze(services) as ServicesOf<Definitions>,
    lifecycle: createLifecycle(parts, logger),
    handlers: onceUntilFailure(async () =>
      http.createHostHandlers(groups.groups, handlerOptions(runtime, tenants, options)),
    ).get,
    openapi: groups.document,
    rotateKeys: () => rotateHostKeys(keys, runtime, created),
  };
}

function documentBase({
  baseUrl = '',
  mount = '/probity',
}: Pick<ProbityOptions<never>, 'baseUrl' | 'mount'>): string {
  return `${baseUrl}${mount}`;
}

function handlerOptions(
  { database, clock, ids, metrics, logger, secretBox }: Runtime,
  tenants: Tenants,
  options: OpeningOptions<readonly CapabilityDefinition[]>,
) {
  const { authenticate, rateLimits, trustedProxies, baseUrl, mount, traffic } = options;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(rateLimits && { rateLimits }),
    ...(trustedProxies !== undefined && { trustedProxies: parseCidrList(trustedProxies) }),
    authenticate,
    scopedTokens: createScopedTokens({ database, clock }),
    tenants,
    clock,
    ids,
    metrics,
    logger,
    idempotency: createIdempotency({ database, clock, secretBox }),
    traffic,
    mount: mount ?? '/probity',
    isMountAssumed: mount === undefined,
  };
}

function loadHttp() {
  return import('../http/host.ts').catch(explainHttp);
}

/** @throws Error that says what to install */
function explainHttp(cause: unknown): never {
  throw nameMissing(nameMissing(cause, '@koa/router', 'Probity'), 'koa', 'Probity');
}

function configuredKey({
  encryptionKey,
}: Pick<OpeningOptions<readonly CapabilityDefinition[]>, 'encryptionKey'>): string | undefined {
  return encryptionKey ?? (process.env.PROBITY_ENCRYPTION_KEY?.trim() || undefined);
}

async function openKeys(
  { database, keyFilePath }: OpenDatabase,
  options: OpeningOptions<readonly CapabilityDefinition[]>,
): Promise<HostKeys> {
  const text = configuredKey(options);
  const setting = options.encryptionKey ? 'encryptionKey' : 'PROBITY_ENCRYPTION_KEY';
  const configured = text === undefined ? null : readKeys(setting, text);
  if (!isSqlDatabase(database)) {
    const secretBox = createSecretBox(configured ?? [systemRandom(32)]);
    return { secretBox, sealingKeys: null, keyFile: null };
  }
  const { createSqlSealingKeys } = await import('../sealing/sql/keys.ts');
  const keyFile = configured || keyFilePath === null ? null : createKeyFile(resolve(keyFilePath));
  const sealingKeys = createSqlSealingKeys(database);
  const secretBox = await settleEncryptionKeys({
    onCreated: () =>
      options.logger[keyFilePath === KEY_FILE ? 'warn' : 'info'](
        'a new encryption key was written to a file: without it the secrets in the database are lost; ' +
          'keep a copy, and give every instance the file or PROBITY_ENCRYPTION_KEY',
        { path: keyFile?.path },
      ),
    configured,
    keyFile,
    sealingKeys,
    clock: options.clock ?? systemClock,
    remedy: keyFile ? `restore ${keyFile.path}` : 'pass that key as encryptionKey',
  });
  return { secretBox, sealingKeys, keyFile };
}

import type { Database, Role } from '@probity/core';
import {
  createLogger,
  createRuntime,
  createSecretBox,
  OUTSIDE_REQUEST,
  systemRandom,
} from '@probity/core';
import type { Call, DatabaseTarget, TestDatabase } from '@probity/core/testing';
import {
  createTestTenant,
  databaseTargets,
  serveKoa,
  serveRouter,
  withTenant,
} from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createPreparedDatabase, createTestClock, temporaryRoot } from '@probity/test-support';
import { newEvidence } from '../src/fixtures.ts';
import type { Evidence, EvidenceStorage, NewEvidence } from '../src/index.ts';
import { createEvidenceAppender, createMemoryEvidenceStorage } from '../src/index.ts';
import { createEvidenceCapability, createEvidenceRouter } from '../src/koa.ts';
import { createSqlEvidenceStorage, evidenceMigrations } from '../src/sql.ts';

/** Memory, SQLite and PostgreSQL with the package's tables. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: evidenceMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** The two SQL databases. */
export const sqlTargets: readonly DatabaseTarget[] = targets.filter(
  ({ name }) => name !== 'memory',
);

/** Creates the package's storage on a test database. */
export function storageOf(opened: TestDatabase): EvidenceStorage {
  return opened.kind === 'memory'
    ? createMemoryEvidenceStorage(opened.database)
    : createSqlEvidenceStorage(opened.database);
}

/** Options of {@link createWorld}. */
export interface WorldOptions {
  readonly target?: DatabaseTarget;
  /** Whether the ends of chains are sealed; default true. */
  readonly isSealed?: boolean;
  /** The encryption keys; default one. */
  readonly keys?: () => readonly Uint8Array[];
  readonly retentionDays?: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates the services on a new database with one organization; closes it after the test. */
export async function createWorld(test: TestLifetime, options: WorldOptions = {}) {
  const { target = targets[0] as DatabaseTarget, isSealed = true, retentionDays } = options;
  const { keys = [systemRandom(32)] } = options;
  const opened = await target.open();
  test.after(() => opened.dispose());
  const database: Database = opened.database;
  const storage = storageOf(opened);
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', clock, write: (line) => lines.push(line) });
  const secretBox = isSealed ? createSecretBox(keys) : undefined;
  const runtime = createRuntime({ database, clock, logger, secretBox });
  const capability = createEvidenceCapability(runtime, { storage, retentionDays });
  const appender = createEvidenceAppender(runtime);
  const { organizationId, context } = await withTenant(opened);
  return {
    ...{ organizationId, context, opened, database, runtime, storage, clock, lines, capability },
    services: capability.services,
    /** Appends records as an import does; each of `facts` overrides members of one. */
    append(...facts: ReadonlyArray<Partial<NewEvidence>>): Promise<Evidence[]> {
      const records = facts.map((each) =>
        newEvidence(organizationId, { createdAt: clock.now(), ...each }),
      );
      return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, (tx) =>
        appender.append(tx, organizationId, records),
      );
    },
    /** The last entries of the audit log, newest first. */
    async auditEntries(limit = 10) {
      const reads = database.kernel(database.reader);
      const found = await reads.listAuditEntries(organizationId, {}, { limit, offset: 0 });
      return found.items;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
type Body = any;

/** Sends `METHOD /path` with a JSON body and the token of a role. */
type Request = (
  request: string,
  options?: { readonly body?: unknown; readonly token?: string },
) => ReturnType<Call<Body>>;

/** The world's endpoints; tokens are roles, and `stranger` is the owner of another organization. */
async function routerOf({ opened, context, services }: World) {
  const stranger = await createTestTenant(opened);
  const { principal } = context;
  return createEvidenceRouter(services, {
    checkReplies: true,
    authenticate: async ({ token }) =>
      token === 'stranger'
        ? { ...principal, organizationId: stranger.organizationId }
        : { ...principal, role: token as Role },
  });
}

/** Serves the world's endpoints; returns the function that gets a path as text, with the token of a role. */
export async function serveText(
  test: TestLifetime,
  world: World,
): Promise<(path: string, token?: string) => Promise<Response>> {
  const address = await serveKoa(test, await routerOf(world));
  return (path, token = 'owner') =>
    fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
}

/** Serves the world's endpoints to callers with JSON. */
export async function serve(test: TestLifetime, world: World): Promise<Request> {
  const router = await routerOf(world);
  const call = await serveRouter<Body>(test, router, { token: 'owner' });
  return (request, { body, token } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return call(method, path, body, token);
  };
}

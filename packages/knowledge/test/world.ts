import type { Database, Role } from '@probity/core';
import { createRuntime } from '@probity/core';
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
import type { KnowledgeStorage } from '../src/index.ts';
import { createMemoryKnowledgeStorage } from '../src/index.ts';
import type { KnowledgeCapabilityOptions } from '../src/koa.ts';
import { createKnowledgeCapability, createKnowledgeRouter } from '../src/koa.ts';
import { createSqlKnowledgeStorage, knowledgeMigrations } from '../src/sql.ts';

/** Memory, SQLite and PostgreSQL with the package's tables. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: knowledgeMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** Creates the package's storage on a test database. */
export function storageOf(opened: TestDatabase): KnowledgeStorage {
  return opened.kind === 'memory'
    ? createMemoryKnowledgeStorage(opened.database)
    : createSqlKnowledgeStorage(opened.database);
}

/** Options of {@link createWorld}. */
export interface WorldOptions extends Partial<KnowledgeCapabilityOptions> {
  readonly target?: DatabaseTarget;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates the services on a new database with one organization; closes it after the test. */
export async function createWorld(test: TestLifetime, options: WorldOptions = {}) {
  const { target = targets[0] as DatabaseTarget, ...given } = options;
  const opened = await target.open();
  test.after(() => opened.dispose());
  const database: Database = opened.database;
  const storage = storageOf(opened);
  const clock = createTestClock();
  const runtime = createRuntime({ database, clock });
  const capability = createKnowledgeCapability(runtime, { storage, ...given });
  const { organizationId, context } = await withTenant(opened);
  return {
    ...{ organizationId, context, opened, database, runtime, storage, clock, capability },
    services: capability.services,
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
export type Request = (
  request: string,
  options?: { readonly body?: unknown; readonly token?: string },
) => ReturnType<Call<Body>>;

/** The world's endpoints; tokens are roles, and `stranger` is the owner of another organization. */
async function routerOf({ opened, context, services }: World) {
  const stranger = await createTestTenant(opened);
  const { principal } = context;
  return createKnowledgeRouter(services, {
    checkReplies: true,
    authenticate: async ({ token }) =>
      token === 'stranger'
        ? { ...principal, organizationId: stranger.organizationId }
        : { ...principal, role: token as Role },
  });
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

/** Serves the world's endpoints; returns the function that sends a file. */
export async function serveImport(test: TestLifetime, world: World) {
  const address = await serveKoa(test, await routerOf(world));
  return async (
    file: string | ReadableStream | Uint8Array<ArrayBuffer>,
    type = 'text/csv',
    query = '',
  ) => {
    const response = await fetch(`${address}/knowledge/nuggets/import${query}`, {
      method: 'POST',
      headers: { authorization: 'Bearer editor', 'content-type': type },
      body: file,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as Body };
  };
}

import type { Database, Dialer, EventMap, Lookup, Plan, Role } from '@probity/core';
import {
  createDialer,
  createLogger,
  createOutboxRelay,
  createRuntime,
  createSecretBox,
  OUTSIDE_REQUEST,
  parseNetworkAllowList,
} from '@probity/core';
import type { Call, DatabaseTarget, TestDatabase } from '@probity/core/testing';
import { createTestTenant, databaseTargets, serveRouter, withTenant } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import {
  createPreparedDatabase,
  createTestClock,
  MICROSOFT_CLIENT,
  SERVICE_NOW_CLIENT,
  startHttpsReceiver,
  startMicrosoftPeer,
  startServiceNowPeer,
  temporaryRoot,
} from '@probity/test-support';
import { createTeams } from '../src/chatops/teams.ts';
import type { IntegrationsStorage } from '../src/index.ts';
import { createMemoryIntegrationsStorage } from '../src/index.ts';
import { createStanding } from '../src/integrations/standing.ts';
import { createServiceNow } from '../src/itsm/service-now.ts';
import { createIntegrationsCapability, createIntegrationsRouter } from '../src/koa.ts';
import { createRemote } from '../src/remote/remote.ts';
import { createRoutingSubscriber } from '../src/routing/subscriber.ts';
import { createRoutingWorker } from '../src/routing/worker.ts';
import { createSqlIntegrationsStorage, integrationsMigrations } from '../src/sql.ts';

/** Memory, SQLite and PostgreSQL with the package's tables. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: integrationsMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** Creates the package's storage on a test database. */
export function storageOf(opened: TestDatabase): IntegrationsStorage {
  return opened.kind === 'memory'
    ? createMemoryIntegrationsStorage(opened.database)
    : createSqlIntegrationsStorage(opened.database);
}

/** Options of {@link createWorld}. */
export interface WorldOptions {
  readonly target?: DatabaseTarget;
  readonly retries?: number;
}

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'private.example': ['93.184.216.34', '10.0.0.1'],
};

const lookup: Lookup = async (name) => {
  const addresses = ADDRESSES[name];
  if (!addresses) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
  return addresses;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The services on a new database with one organization, ServiceNow and Microsoft; closed after the test. */
export async function createWorld(test: TestLifetime, options: WorldOptions = {}) {
  const { target = targets[0] as DatabaseTarget, retries = 2 } = options;
  const opened = await target.open();
  const { organizationId, context } = await withTenant(opened);
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', clock, write: (line) => lines.push(line) });
  const serviceNow = await startServiceNowPeer(test);
  const microsoft = await startMicrosoftPeer(test);
  serviceNow.now = () => clock.now();
  // All receivers of a process share one certificate authority.
  const { certificate } = serviceNow.receiver;
  const allow = parseNetworkAllowList('127.0.0.1/32');
  const newDialer = () => createDialer({ allow, clock, lookup, tls: { ca: [certificate] } });
  const plans = new Map<string, Plan>();
  const endpoints = { authorityUrl: microsoft.authorityUrl, graphUrl: microsoft.graphUrl };

  /** The parts of one process, on a connection to the database. */
  const createProcess = (database: Database, storage: IntegrationsStorage, dialer: Dialer) => {
    const secretBox = createSecretBox([Buffer.alloc(32, 5)]);
    const runtime = createRuntime({ database, clock, logger, secretBox });
    const backOff = { retries, minTimeoutMs: 1 };
    const planOf = async (id: string) => plans.get(id) ?? 'enterprise';
    const shared = { storage, allow, lookup, dialer, backOff, planOf, microsoft: endpoints };
    const capability = createIntegrationsCapability(runtime, shared);
    const remote = createRemote({ ...runtime, dialer, backOff });
    const worker = createRoutingWorker(runtime, {
      ...{ storage, planOf, microsoft: endpoints },
      serviceNow: createServiceNow(remote),
      teams: createTeams(remote, endpoints),
      standing: createStanding(runtime, { storage }),
    });
    const relay = createOutboxRelay({
      ...runtime,
      subscribers: [createRoutingSubscriber({ storage })],
      ids: runtime.ids,
    });
    return { runtime, storage, dialer, remote, capability, relay, worker };
  };
  const own = createProcess(opened.database, storageOf(opened), newDialer());
  test.after(async () => {
    await own.dialer.close();
    await opened.dispose();
  });
  return {
    ...own,
    ...{ createProcess, newDialer, opened, clock, lines, serviceNow, microsoft, plans },
    ...{ organizationId, context, services: own.capability.services },
    database: opened.database as Database,
    connectItsm: () =>
      own.capability.services.integrations.connectItsm(context, {
        instance_url: serviceNow.url,
        ...SERVICE_NOW_CLIENT,
      }),
    connectChatops: () =>
      own.capability.services.integrations.connectChatops(context, MICROSOFT_CLIENT),
    /** Stores the event of an alert as a service would; it is routed when `relay` runs. */
    alert(facts: Partial<EventMap['alert.created']> = {}) {
      const alertId = own.runtime.ids.next('alr');
      const base = { severity: 'high', type: 'pii', message: 'A card number was found' } as const;
      return own.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        own.runtime.emit(tx, context, 'alert.created', { alertId, ...base, ...facts }),
      );
    },
    /** Hands events to the subscriber, and sends what is due. */
    async route() {
      await own.relay.runOnce();
      await own.worker.runOnce();
    },
    /** The audit log, oldest first. */
    async audit() {
      const reads = own.runtime.database.kernel(own.runtime.database.reader);
      return reads.readAuditChain(organizationId, 0, 100);
    },
  };
}

/** Peers without deviations from what their systems document. */
export function faultsOf({ serviceNow, microsoft }: World): string[] {
  return [...serviceNow.faults, ...microsoft.faults];
}

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
type Body = any;

/** Serves the world's endpoints; tokens are roles, `stranger` owns another organization, `small` has a lower plan. */
export async function serve(test: TestLifetime, world: World): Promise<Call<Body>> {
  const stranger = await createTestTenant(world.opened);
  const { principal } = world.context;
  const router = createIntegrationsRouter(world.services, {
    checkReplies: true,
    authenticate: async ({ token }) => {
      if (token === 'stranger') return { ...principal, organizationId: stranger.organizationId };
      if (token === 'small') return { ...principal, plan: 'professional' };
      return { ...principal, role: token as Role };
    },
  });
  return serveRouter<Body>(test, router, { token: 'owner' });
}

/** Starts a receiver that is no system of either kind. */
export function startOther(test: TestLifetime, body = '<html>Welcome</html>') {
  const headers = { 'content-type': 'text/html' };
  return startHttpsReceiver({ test, handler: () => ({ status: 200, headers, body }) });
}

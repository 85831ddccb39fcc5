import type {
  Database,
  Dialer,
  EventRecord,
  Lookup,
  Metrics,
  OwnerNotice,
  OwnerNotices,
} from '@probity/core';
import {
  createDialer,
  createLogger,
  createOutboxRelay,
  createRuntime,
  createSecretBox,
  OUTSIDE_REQUEST,
  parseNetworkAllowList,
  silentMetrics,
  systemRandom,
} from '@probity/core';
import type { DatabaseTarget, TestDatabase } from '@probity/core/testing';
import { databaseTargets, withTenant } from '@probity/core/testing';
import type { HttpsReceiver, ReceiverHandler, TestLifetime } from '@probity/test-support';
import {
  createPreparedDatabase,
  createTestClock,
  startHttpsReceiver,
  temporaryRoot,
} from '@probity/test-support';
import { createWarningWorker } from '../src/deliveries/warning.ts';
import { createWithdrawalWorker } from '../src/deliveries/withdrawal.ts';
import type { EventCatalog, WebhookRetryProfile, WebhookStorage } from '../src/index.ts';
import {
  createDeliveries,
  createMemoryWebhookStorage,
  createReplays,
  createWebhookDeliverer,
  createWebhookSubscriber,
  createWebhooks,
} from '../src/index.ts';
import { createReplayWorker } from '../src/replays/worker.ts';
import { createSqlWebhookStorage, webhookMigrations } from '../src/sql.ts';

/** Memory, SQLite and PostgreSQL with the tables of webhooks. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: webhookMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

function targetOf(name: DatabaseTarget['name']): DatabaseTarget {
  const target = targets.find((each) => each.name === name);
  if (!target) throw new Error(`There is no target ${name}`);
  return target;
}

/** The storage of webhooks on a test database. */
export function storageOf(opened: TestDatabase): WebhookStorage {
  return opened.kind === 'memory'
    ? createMemoryWebhookStorage(opened.database)
    : createSqlWebhookStorage(opened.database);
}

/** All parts of the package on one database, with a clock that is advanced by the test. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Settings of a world. */
export interface WorldOptions {
  readonly target?: DatabaseTarget['name'];
  readonly retry?: WebhookRetryProfile;
  readonly eventTypes?: EventCatalog;
  readonly metrics?: Metrics;
  /** Networks that may be reached; default 127.0.0.1. */
  readonly egress?: string;
}

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34'],
  'private.example': ['93.184.216.34', '10.0.0.1'],
};

const lookup: Lookup = async (name) => {
  const addresses = ADDRESSES[name];
  if (!addresses) throw new Error(`${name} has no address`);
  return addresses;
};

/** Creates a world that is closed after the test. */
export async function createWorld(test: TestLifetime, options: WorldOptions = {}) {
  const opened = await targetOf(options.target ?? 'memory').open();
  const { organizationId, context } = await withTenant(opened);
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', clock, write: (line) => lines.push(line) });
  const secretBox = createSecretBox([systemRandom(32)]);
  const allow = parseNetworkAllowList(options.egress ?? '127.0.0.1/32');
  // All receivers of a process share one certificate authority.
  const { certificate } = await startHttpsReceiver({ test });
  const dialer = createDialer({ allow, clock, lookup, tls: { ca: [certificate] } });
  test.after(async () => {
    await dialer.close();
    await opened.dispose();
  });

  const sent: OwnerNotice[] = [];
  const notices: OwnerNotices = {
    send: async (tx, notice) => tx.session.afterCommit(() => sent.push(notice)),
  };

  /** The parts of one process, on this connection to the database. */
  const createProcess = (database: Database, storage: WebhookStorage, out: Dialer = dialer) => {
    const { metrics = silentMetrics, eventTypes, retry } = options;
    const runtime = createRuntime({ database, clock, logger, metrics, secretBox });
    return {
      runtime,
      storage,
      webhooks: createWebhooks(runtime, { storage, targets: { allow, clock, lookup }, eventTypes }),
      deliveries: createDeliveries(runtime, { storage, eventTypes }),
      replays: createReplays(runtime, { storage }),
      replayer: createReplayWorker(runtime, { storage }),
      subscriber: createWebhookSubscriber(runtime, { storage }),
      relay: createOutboxRelay({
        ...runtime,
        subscribers: [createWebhookSubscriber(runtime, { storage })],
        ids: runtime.ids,
      }),
      deliverer: createWebhookDeliverer(runtime, { storage, dialer: out, retry, notices }),
      warnings: createWarningWorker(runtime, { storage, notices }),
      withdrawals: createWithdrawalWorker(runtime, { storage }),
    };
  };

  const own = createProcess(opened.database, storageOf(opened));
  const world = {
    ...own,
    createProcess,
    opened,
    database: opened.database as Database,
    clock,
    lines,
    /** The notices to owners. */
    sent,
    allow,
    dialer,
    organizationId,
    context,
    /** Creates a receiver and a webhook for it. */
    async subscribe(
      handler: ReceiverHandler = () => ({}),
      events: readonly string[] = ['alert.created'],
    ) {
      const receiver = await startHttpsReceiver({ handler, test });
      const url = `${receiver.url}/hook`;
      return { receiver, ...(await own.webhooks.create(context, { url, events })) };
    },
    /** Stores an event as a service would; it reaches the webhooks when `relay` runs. */
    emit(message = 'An e-mail address was found'): Promise<EventRecord> {
      const data = { alertId: 'alr_1', severity: 'medium', type: 'pii', message } as const;
      return own.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        own.runtime.emit(tx, context, 'alert.created', data),
      );
    },
    /** Stores events and turns them into deliveries. */
    async publish(count = 1): Promise<EventRecord[]> {
      const events: EventRecord[] = [];
      for (let index = 0; index < count; index += 1) events.push(await world.emit());
      await own.relay.runOnce();
      return events;
    },
    async deliveriesOf(webhookId: string) {
      const page = { limit: 200, offset: 0 };
      return (await own.storage.listDeliveries(webhookId, {}, page)).items;
    },
    /** Runs the attempts due within these seconds, one at a time. */
    async passSeconds(seconds: number): Promise<void> {
      await own.deliverer.runOnce();
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1_000);
        await own.deliverer.runOnce();
      }
    },
  };
  return world;
}

/** Ids of the events received, in order of arrival. */
export function eventIdsOf({ requests }: HttpsReceiver): string[] {
  return requests.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { id: string }).id);
}

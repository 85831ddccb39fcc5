import type { Clock, Logger, Metrics, Timer } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import type { GatewayKey } from '../compliance/gateway-key.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { CheckText } from '../database/gateway-database.ts';
import { createGatewayDatabase } from '../database/gateway-database.ts';
import { isAuditing } from './auditing.ts';
import { eraseUser } from './erasure.ts';
import { auditMigrations } from './migrations.ts';
import { createAuditRetention } from './retention.ts';
import type { AuditSink } from './rows.ts';
import { createChainSealer } from './seals.ts';
import { createSqlAuditStore } from './sql.ts';
import { createAuditWriter } from './writer.ts';

/** The audit table with everything that writes and deletes in it. */
export interface AuditTrail {
  readonly sink: AuditSink;
  /** `ok`, `disabled`, `starting` or `error: …`. */
  check(): CheckText;
  /** Whether it is off, or its database has answered since the start. */
  isReady(): boolean;
  poolSize(): number;
  waiting(): number;
  /**
   * Deletes every scan of a user; returns how many.
   * @throws Error when the database does not answer
   */
  eraseUser(forms: readonly string[]): Promise<number>;
  /** Asks the database whether it answers. */
  probe(): Promise<void>;
  /** Deletes what is too old. */
  sweep(): Promise<void>;
  /** Follows a changed configuration. */
  use(config: GatewayConfig): void;
  /** @throws Error when a SQLite file cannot be opened; a server is tried again instead */
  start(): Promise<void>;
  /** Writes what waits, and closes the database. Idempotent. */
  stop(): Promise<void>;
}

/** Dependencies of a trail. */
export interface AuditTrailOptions {
  readonly location: DatabaseLocation;
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Seals the chain of the acts. */
  readonly key: GatewayKey;
}

const SWEEP_MS = 3_600_000;

/** Makes the trail on a database of its own, which is opened by the first use. */
export function createAuditTrail(options: AuditTrailOptions): AuditTrail {
  const { location, config, clock, logger, metrics } = options;
  const { audit, database: settings } = config();
  const migrations = auditMigrations(audit.table_name);
  const database = createGatewayDatabase({ ...options, settings, migrations });
  const store = createSqlAuditStore(database, audit.table_name, createChainSealer(options.key));
  const writer = createAuditWriter({ store, clock, logger, metrics });
  const retention = createAuditRetention({ store, config, clock, logger });
  const isOn = () => isAuditing(config());
  let timer: Timer | null = null;
  let stopping: Promise<void> | null = null;
  let isOver = false;
  const sweep = async () => {
    if (isOn() && database.hasBeenUp) await retention.sweep();
  };
  const seal = async () => {
    if (!database.hasBeenUp) return;
    const hadActs = await store.seal().catch(() => false);
    if (hadActs)
      logger.warn('the chain of the audit records had no seal; earlier acts are not proven');
  };
  const sweepHourly = () => {
    if (!isOver) timer = clock.setTimer(() => void sweep().finally(sweepHourly), SWEEP_MS);
  };
  const end = async () => {
    isOver = true;
    timer?.cancel();
    await retention.stop();
    await writer.stop();
    await database.close();
  };
  return {
    sink: writer,
    check: () => (isOn() ? database.check : 'disabled'),
    isReady: () => !isOn() || database.hasBeenUp,
    poolSize: () => (isOn() ? database.poolSize : 0),
    waiting: () => writer.waiting,
    eraseUser: (forms) => eraseUser(store, writer, forms),
    async probe() {
      if (isOn()) await database.probe();
    },
    sweep,
    use: ({ database: next }) => database.use(next),
    async start() {
      if (isOn()) {
        const opening = database.probe();
        void opening.then(seal);
        // Nobody waits for it: after a shorter retention there may be millions of rows.
        void opening.then(sweep);
        if (location.kind === 'sqlite') {
          await opening;
          if (!database.hasBeenUp) throw new Error(notOpened(location.path, database.check));
        }
      }
      sweepHourly();
    },
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
}

function notOpened(path: string, check: CheckText): string {
  const reason = check.replace(/^error: /, '');
  return (
    `the audit database ${path} cannot be opened: ${reason}; PROBITY_GATEWAY_DATABASE_URL names another, and ` +
    'audit.enabled: false with compliance.audit_logging: false needs none'
  );
}

import type { AuditRecorder } from '../audit/recorder.ts';
import { createAuditRecorder } from '../audit/recorder.ts';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Emit } from '../events/emit.ts';
import { createEmit } from '../events/emit.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import type { Metrics } from '../metrics.ts';
import { silentMetrics } from '../metrics.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import type { Tenants } from '../tenants/tenants.ts';

/** Dependencies shared by all capabilities. */
export interface Runtime<S extends DatabaseSession = DatabaseSession> {
  readonly database: Database<S>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * Seals secrets that must be recoverable, such as webhook secrets; optional, see the capability.
   */
  readonly secretBox: SecretBox | undefined;
  /**
   * Stores a host's organizations as tenants before the services use them; undefined where
   * organizations are stored by other means.
   */
  readonly tenants: Pick<Tenants, 'ensure'> | undefined;
  /** Records changes in the audit log. */
  readonly audit: AuditRecorder;
  /** Appends events to the outbox. */
  readonly emit: Emit;
}

/** A host's options of a runtime: the database, and overrides of the defaults. */
export interface RuntimeOptions<S extends DatabaseSession = DatabaseSession> {
  readonly database: Database<S>;
  /** Default: the system clocks. */
  readonly clock?: Clock | undefined;
  /** Default: the system's random number generator. */
  readonly random?: Random | undefined;
  /** Default: `createIds` over `clock` and `random`. */
  readonly ids?: Ids | undefined;
  /** Default: none. */
  readonly logger?: Logger | undefined;
  /** Default: none. */
  readonly metrics?: Metrics | undefined;
  readonly secretBox?: SecretBox | undefined;
  /** For hosts with organizations of their own; default none. */
  readonly tenants?: Pick<Tenants, 'ensure'> | undefined;
}

/** Creates a runtime with defaults for everything but the database. */
export function createRuntime<S extends DatabaseSession>(options: RuntimeOptions<S>): Runtime<S> {
  const { database, secretBox, tenants, logger = silentLogger, metrics = silentMetrics } = options;
  const { clock = systemClock, random = systemRandom } = options;
  const { ids = createIds(clock, random) } = options;
  const audit = createAuditRecorder({ ids, clock, secretBox, random, logger });
  const emit = createEmit({ ids, clock });
  const services = { ids, logger, metrics, secretBox, tenants, audit, emit };
  return Object.freeze({ database, clock, random, ...services });
}

/**
 * The runtime's secret box.
 * @throws Error that names the capability that needs one and how to create it
 */
export function requireSecretBox({ secretBox }: Runtime, capability: string): SecretBox {
  if (secretBox) return secretBox;
  throw new Error(
    `${capability} needs a secretBox in its runtime: createSecretBox([key]) with a key of 32 bytes.`,
  );
}

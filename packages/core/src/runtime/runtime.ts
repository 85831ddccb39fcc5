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
import type { Database, Session } from '../storage/database.ts';

/** What every capability is built on. */
export interface Runtime<S extends Session = Session> {
  readonly database: Database<S>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Seals what must be used again, such as webhook secrets; capabilities that need it say so. */
  readonly secretBox: SecretBox | undefined;
  /** Records changes in the audit log. */
  readonly audit: AuditRecorder;
  /** Appends events to the outbox. */
  readonly emit: Emit;
}

/** What a host gives of a runtime: the database, and what is to differ from the defaults. */
export interface RuntimeOptions<S extends Session = Session> {
  readonly database: Database<S>;
  /** Default: the machine's clocks. */
  readonly clock?: Clock | undefined;
  /** Default: the machine's random numbers. */
  readonly random?: Random | undefined;
  /** Default: `createIds` over `clock` and `random`. */
  readonly ids?: Ids | undefined;
  /** Default: none. */
  readonly logger?: Logger | undefined;
  /** Default: none. */
  readonly metrics?: Metrics | undefined;
  readonly secretBox?: SecretBox | undefined;
}

/** Completes a runtime with defaults for all but the database. */
export function createRuntime<S extends Session>(options: RuntimeOptions<S>): Runtime<S> {
  const { database, secretBox, logger = silentLogger, metrics = silentMetrics } = options;
  const { clock = systemClock, random = systemRandom } = options;
  const { ids = createIds(clock, random) } = options;
  const audit = createAuditRecorder({ ids, clock });
  const emit = createEmit({ ids, clock });
  return Object.freeze({ database, clock, random, ids, logger, metrics, secretBox, audit, emit });
}

/**
 * The runtime's secret box.
 * @throws Error that says which capability needs one and how it is made
 */
export function requireSecretBox({ secretBox }: Runtime, capability: string): SecretBox {
  if (secretBox) return secretBox;
  throw new Error(
    `${capability} needs a secretBox in its runtime: createSecretBox([key]) with a key of 32 bytes.`,
  );
}

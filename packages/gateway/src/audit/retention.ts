import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { GatewayConfig } from '../config/read-config.ts';
import type { AuditAges, AuditStore } from './store.ts';

/** Deletes what is too old. */
export interface AuditRetention {
  /**
   * One sweep: batches of at most 1,000 rows until nothing is too old, with a pause after each as long as it took, so
   * that on SQLite others get half of the time. Never rejects. Returns how many were deleted.
   */
  sweep(): Promise<number>;
  /** Ends the sweep that runs behind its batch; there is none afterwards. */
  stop(): Promise<void>;
}

/** Dependencies of a retention. */
export interface AuditRetentionOptions {
  readonly store: Pick<AuditStore, 'deleteOld'>;
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Larger statements hold locks for long. */
const BATCH_ROWS = 1_000;

/** Creates the retention. */
export function createAuditRetention(options: AuditRetentionOptions): AuditRetention {
  const { store, config, clock, logger } = options;
  let sweeping: Promise<number> | null = null;
  const end = new AbortController();
  async function sweepOnce(): Promise<number> {
    const ages = agesOf(config(), clock.now());
    let deleted = 0;
    while (!end.signal.aborted) {
      const startedAtMs = clock.monotonicMs();
      const batch = await store.deleteOld(ages, BATCH_ROWS);
      deleted += batch;
      if (batch < BATCH_ROWS) break;
      await delay(clock.monotonicMs() - startedAtMs, null, { signal: end.signal }).catch(
        () => null,
      );
    }
    if (deleted > 0) logger.info('old audit rows were deleted', { rows: deleted });
    return deleted;
  }
  return {
    sweep() {
      sweeping ??= sweepOnce()
        .catch((error: unknown) => {
          logger.warn('old audit rows could not be deleted', { error });
          return 0;
        })
        .finally(() => {
          sweeping = null;
        });
      return sweeping;
    },
    async stop() {
      end.abort();
      await sweeping;
    },
  };
}

/** In GDPR mode nothing outlives `pii_retention_days`. */
export function agesOf({ audit, compliance }: GatewayConfig, now: Date): AuditAges {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const { pii_retention_days, gdpr_mode } = compliance;
  const days = gdpr_mode
    ? Math.min(audit.retention_days, pii_retention_days)
    : audit.retention_days;
  return {
    before: daysAgo(days),
    personalBefore: daysAgo(Math.min(days, pii_retention_days)),
  };
}

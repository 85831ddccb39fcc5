import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Logger } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { GatewayConfig } from '../config/read-config.ts';
import type { AuditAges, AuditStore } from './store.ts';

/** Deletes what is too old. */
export interface AuditRetention {
  /** One sweep: batches of at most 1,000 rows until nothing is too old; never rejects. Returns how many were deleted. */
  sweep(): Promise<number>;
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
  async function sweepOnce(): Promise<number> {
    const ages = agesOf(config(), clock.now());
    let deleted = 0;
    for (;;) {
      const batch = await store.deleteOld(ages, BATCH_ROWS);
      deleted += batch;
      if (batch < BATCH_ROWS) break;
      await nextTurn();
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

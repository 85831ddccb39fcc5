import type { Clock, Logger, Metrics } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import type { KeyChange } from '../api-keys/key-watch.ts';
import { createKeyWatch } from '../api-keys/key-watch.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import { createGatewayDatabase } from '../database/gateway-database.ts';
import { createIdempotencyPart } from '../idempotency/idempotency-part.ts';
import { createSqlReplyStore, IDEMPOTENCY_MIGRATIONS } from '../idempotency/reply-store.ts';
import { createModelLimitsPart, tokenPoolOf } from '../limits/model-limits.ts';
import { createSqlTokenLedger } from '../limits/sql.ts';
import { createTokenBudgets } from '../limits/token-budgets.ts';
import { TOKEN_MIGRATIONS } from '../limits/token-ledger.ts';
import { createRefusedToolsPart } from '../mcp/refused-tools.ts';
import { createResponseOwnersPart } from '../proxy/response-owners.ts';
import { createReplaysPart } from '../signing/replays.ts';
import { createSqlSignatureStore, SIGNATURE_MIGRATIONS } from '../signing/signature-store.ts';
import type { MakeParts } from './part.ts';

/** What the parts of the primary are made with. */
export interface PartsOptions {
  readonly clock: Clock;
  /** The log of the process in which the parts live. */
  readonly logger: Logger;
  /** Those of the process; asked when something is counted. */
  readonly metrics: () => Metrics;
  /** The configuration with which the gateway starts. */
  readonly config: GatewayConfig;
  /** The database of the gateway; opened by the first call that has a budget, is signed, or has an Idempotency-Key. */
  readonly location: DatabaseLocation;
  /** Where the API keys are. */
  readonly keysFile: string;
  /** Records a change of the API keys. */
  readonly recordKeys: (change: KeyChange) => void;
}

/**
 * Makes the parts that live once, whatever the number of processes. Those that differ between one process
 * and several (log, limits, alerts, metrics) are made where the processes are.
 */
export function createPrimaryParts(options: PartsOptions): MakeParts {
  const { clock, logger, config } = options;
  const metrics: Metrics = {
    count: (...counted) => options.metrics().count(...counted),
    observe: (...observed) => options.metrics().observe(...observed),
    gauge: (...gauge) => options.metrics().gauge(...gauge),
  };
  return () => {
    const database = createGatewayDatabase({
      ...{ clock, logger, metrics, location: options.location },
      settings: tokenPoolOf(config),
      migrations: [...TOKEN_MIGRATIONS, ...SIGNATURE_MIGRATIONS, ...IDEMPOTENCY_MIGRATIONS],
    });
    const budgets = createTokenBudgets({ ledger: createSqlTokenLedger(database), clock, logger });
    const { keysFile: file, recordKeys: record } = options;
    return [
      createReplaysPart({ store: createSqlSignatureStore(database), clock, logger }),
      createIdempotencyPart({ store: createSqlReplyStore(database), clock, logger }),
      createRefusedToolsPart(),
      createResponseOwnersPart(),
      createModelLimitsPart({ clock, budgets, database }),
      createKeyWatch({ file, clock, logger, record }),
    ];
  };
}

import type { Clock, Logger } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';
import { createModelLimitsPart } from '../limits/model-limits.ts';
import { createReplaysPart } from '../signing/replays.ts';
import type { MakeParts } from './part.ts';

/** What the parts of the primary are made with. */
export interface PartsOptions {
  readonly clock: Clock;
  /** The log of the process in which the parts live. */
  readonly logger: Logger;
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
}

/**
 * Makes the parts that live once, whatever the number of processes. Those that differ between one process
 * and several (log, limits, alerts, metrics) are made where the processes are.
 */
export function createPrimaryParts({ clock }: PartsOptions): MakeParts {
  return () => [createReplaysPart(clock), createModelLimitsPart(clock)];
}

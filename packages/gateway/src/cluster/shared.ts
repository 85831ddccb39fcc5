import type { Clock } from '@probity/core';
import type { GatewayLimiter } from '../limits/gateway-limiter.ts';
import { createLeasedLimiter } from '../limits/leased-limiter.ts';
import type { AlertMonitor } from '../monitoring/alert-monitor.ts';
import { connectAlerts } from '../monitoring/alert-part.ts';
import type { Replays } from '../signing/replays.ts';
import { createReplays } from '../signing/replays.ts';
import type { Primary } from './part.ts';

/** What a serving process shares with the others. */
export interface Shared {
  readonly primary: Primary;
  readonly limiter: GatewayLimiter;
  readonly alerts: AlertMonitor;
  readonly replays: Replays;
}

/** What one of several serving processes shares, by the primary process. */
export async function connectShared(clock: Clock, primary: Primary): Promise<Shared> {
  return {
    primary,
    limiter: createLeasedLimiter(clock, primary),
    alerts: await connectAlerts(clock, primary),
    replays: createReplays(primary),
  };
}

import type { Clock, Logger, Service } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { Subscriptions } from './subscriptions.ts';

/** What the renewer needs. */
export interface SubscriptionRenewerDependencies {
  readonly subscriptions: Subscriptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between looks; default one minute. */
  readonly intervalMs?: number;
}

/**
 * Renews subscriptions whose cycle has ended, looking now and then. Any number of instances may do
 * it at once: each renewal is decided under the organization's lock.
 */
export function createSubscriptionRenewer({
  subscriptions,
  clock,
  logger,
  intervalMs = 60_000,
}: SubscriptionRenewerDependencies): Service {
  async function work(isRunning: () => boolean): Promise<void> {
    try {
      while (isRunning() && (await subscriptions.renewEnded()) > 0);
    } catch (error) {
      logger.error('subscriptions could not be renewed; it will be tried again', { error });
    }
  }

  return createRepeating({ clock, intervalMs, isFirstAtOnce: true, work });
}

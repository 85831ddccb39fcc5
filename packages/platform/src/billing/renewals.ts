import type { Runtime, Service } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { Subscriptions } from './subscriptions.ts';

/** Dependencies of the subscription renewer. */
export interface SubscriptionRenewerOptions {
  readonly subscriptions: Subscriptions;
  /** Time between runs in milliseconds; default one minute. */
  readonly intervalMs?: number;
}

/**
 * Creates the service that renews subscriptions whose cycle has ended, once per interval. Any
 * number of instances may run it: each renewal is decided under the organization's lock.
 */
export function createSubscriptionRenewer(
  { clock, logger }: Runtime,
  { subscriptions, intervalMs = 60_000 }: SubscriptionRenewerOptions,
): Service {
  async function work(isRunning: () => boolean): Promise<void> {
    try {
      while (isRunning() && (await subscriptions.renewEnded()) > 0);
    } catch (error) {
      logger.error('subscriptions could not be renewed; will retry', { error });
    }
  }

  return createRepeating({ clock, intervalMs, isFirstAtOnce: true, work });
}

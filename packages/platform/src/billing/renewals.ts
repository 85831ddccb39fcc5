import type { Runtime, Service } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { Subscriptions } from './subscriptions.ts';

/** What the renewer needs. */
export interface SubscriptionRenewerOptions {
  readonly subscriptions: Subscriptions;
  /** Time between runs; default one minute. */
  readonly intervalMs?: number;
}

/**
 * Renews subscriptions whose cycle has ended, once an interval. Any number of instances may do
 * it at once: each renewal is decided under the organization's lock.
 */
export function createSubscriptionRenewer(
  { clock, logger }: Runtime,
  { subscriptions, intervalMs = 60_000 }: SubscriptionRenewerOptions,
): Service {
  async function work(isRunning: () => boolean): Promise<void> {
    try {
      while (isRunning() && (await subscriptions.renewEnded()) > 0);
    } catch (error) {
      logger.error('subscriptions could not be renewed; it will be tried again', { error });
    }
  }

  return createRepeating({ clock, intervalMs, isFirstAtOnce: true, work });
}

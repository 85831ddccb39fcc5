import type { Clock, Timer } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
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
  let timer: Timer | null = null;
  let running = false;
  let working: Promise<void> = Promise.resolve();

  async function renewAll(): Promise<void> {
    try {
      while (running && (await subscriptions.renewEnded()) > 0);
    } catch (error) {
      logger.error('subscriptions could not be renewed; it will be tried again', { error });
    }
  }

  function look(): void {
    working = renewAll().then(() => {
      if (running) timer = clock.setTimer(look, intervalMs);
    });
  }

  return {
    async start() {
      if (running) return;
      running = true;
      look();
    },
    async stop() {
      running = false;
      timer?.cancel();
      await working;
    },
  };
}

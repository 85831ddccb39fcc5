import type { Clock, Timer } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { LeasedJob } from './storage.ts';

/** Dependencies and settings of a renewal. */
interface LeaseRenewalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: string;
  readonly leaseMs: number;
}

/** A renewal that is lost makes the job due again earlier. */
const DEFERRED = { durability: 'deferred' } as const;

/** Renews the leases of the jobs in progress after each third of a lease. */
export class LeaseRenewal {
  readonly #options: LeaseRenewalOptions;
  readonly #jobs: () => readonly LeasedJob[];
  #isRunning = false;
  #timer: Timer | null = null;
  #renewing: Promise<void> = Promise.resolve();

  /** @param jobs the jobs in progress at the time of the call */
  constructor(options: LeaseRenewalOptions, jobs: () => readonly LeasedJob[]) {
    this.#options = options;
    this.#jobs = jobs;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#schedule();
  }

  /** Resolves when no renewal is in progress. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    await this.#renewing;
  }

  #schedule(): void {
    const { clock, leaseMs } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(() => {
      this.#renewing = this.#renew().finally(() => {
        if (this.#isRunning) this.#schedule();
      });
    }, leaseMs / 3);
  }

  async #renew(): Promise<void> {
    const { clock, database, leaseMs, logger, queue } = this.#options;
    const jobs = this.#jobs();
    if (jobs.length === 0) return;
    try {
      await database.transaction((session) => {
        const leaseUntil = new Date(clock.now().getTime() + leaseMs);
        return database.kernel(session).renewJobs(jobs, leaseUntil);
      }, DEFERRED);
    } catch (error) {
      logger.error('renewing leases failed', { error, queue });
    }
  }
}

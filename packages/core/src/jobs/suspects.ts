import type { LeasedJob } from './storage.ts';

/** Attempts after which an abandoned job is suspected of ending its workers. */
const SUSPECT_AFTER_ATTEMPTS = 2;

/** Attempts after which a suspect is processed without other suspects, unless there are fewer. */
const ALONE_AFTER_ATTEMPTS = 4;

/** More attempts than any job has. */
const ANY_ATTEMPTS = 2_147_483_647;

/** What decides whether a job is a suspect; `attempts` includes the one that begins. */
export type Attempt = Pick<LeasedJob, 'tenantId' | 'isAbandoned' | 'attempts'>;

/** The suspects that a worker has in progress when it claims. */
export interface SuspectsInHand {
  readonly jobs: readonly Attempt[];
  /** Tenants of those that began a short time ago. */
  readonly recentTenants: ReadonlySet<string | null>;
  /** Attempts after which a suspect is processed without others. */
  readonly aloneAfterAttempts: number;
}

/**
 * Whether a job may have ended its workers: it was abandoned, and not for the first time.
 * {@link SuspectLimits} restricts which suspects are processed together.
 */
export function isSuspect({ isAbandoned, attempts }: Omit<Attempt, 'tenantId'>): boolean {
  return isAbandoned && attempts > SUSPECT_AFTER_ATTEMPTS;
}

/**
 * Attempts after which a suspect of a worker is processed without others, so that the last attempt
 * of a job never ends because of another suspect.
 *
 * @param maxAttempts of the worker's retry profile
 */
export function aloneAfter(maxAttempts: number): number {
  return Math.max(SUSPECT_AFTER_ATTEMPTS, Math.min(ALONE_AFTER_ATTEMPTS, maxAttempts - 1));
}

/**
 * Which suspects may begin beside those in progress. A tenant begins one at a time, so that the
 * suspects of one tenant do not delay those of others. A suspect that ends its process charges an
 * attempt to the suspects of other tenants; those that have had several are processed without any
 * other suspect, so an innocent job is charged a few attempts and does not fail.
 */
export class SuspectLimits {
  readonly #aloneAfter: number;
  readonly #tenants: Set<string | null>;
  #hasSuspect = false;
  #hasLone = false;

  constructor(inHand?: SuspectsInHand) {
    this.#aloneAfter = inHand?.aloneAfterAttempts ?? ALONE_AFTER_ATTEMPTS;
    this.#tenants = new Set(inHand?.recentTenants);
    for (const job of inHand?.jobs ?? []) this.#count(job);
  }

  /** Most attempts, the one that begins included, of an abandoned job that the tenant may begin. */
  mostAttempts(tenantId: string | null): number {
    if (this.#hasLone || this.#tenants.has(tenantId)) return SUSPECT_AFTER_ATTEMPTS;
    return this.#hasSuspect ? this.#aloneAfter : ANY_ATTEMPTS;
  }

  /** Whether the job may begin. */
  permits(job: Attempt): boolean {
    return !job.isAbandoned || job.attempts <= this.mostAttempts(job.tenantId);
  }

  /** Counts a job that begins. */
  add(job: Attempt): void {
    if (!isSuspect(job)) return;
    this.#tenants.add(job.tenantId);
    this.#count(job);
  }

  #count({ attempts }: Attempt): void {
    this.#hasSuspect = true;
    this.#hasLone ||= attempts > this.#aloneAfter;
  }
}

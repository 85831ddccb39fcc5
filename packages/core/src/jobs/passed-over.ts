import type { Clock } from '../clock.ts';

/**
 * Tenants whose due jobs all wait for a place of their group, so that claims need not go through their groups
 * again until one of these jobs ends, or another one is stored or due, or for some time.
 */
export class TenantsPassedOver {
  readonly #clock: Clock;
  readonly #maxMs: number;
  readonly #tenants = new Set<string | null>();
  #untilMs = 0;
  /** Those of which a job ended or was stored since the last claim began. */
  readonly #changed = new Set<string | null>();

  /** @param maxMs for how many milliseconds they are passed over at most */
  constructor(clock: Clock, maxMs: number) {
    this.#clock = clock;
    this.#maxMs = maxMs;
  }

  /** Begins a claim; returns the tenants that it leaves out. */
  beginClaim(): ReadonlySet<string | null> {
    this.#changed.clear();
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#untilMs) {
      this.#tenants.clear();
      this.#untilMs = nowMs + this.#maxMs;
    }
    return this.#tenants;
  }

  /** @param full those of the claim that has ended */
  add(full: Iterable<string | null>): void {
    for (const tenantId of full) if (!this.#changed.has(tenantId)) this.#tenants.add(tenantId);
  }

  /** A job of the tenant was stored, or a place that its jobs wait for is free. */
  admit(tenantId: string | null): void {
    this.#tenants.delete(tenantId);
    this.#changed.add(tenantId);
  }

  /** A job is due after so many milliseconds, perhaps one of these tenants. */
  admitAllAfter(delayMs: number): void {
    this.#untilMs = Math.min(this.#untilMs, this.#clock.monotonicMs() + delayMs);
  }
}

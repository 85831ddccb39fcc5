import { LRUCache } from 'lru-cache';
import { toTenantKey } from './fair-choice.ts';
import type { ClaimTurns, LeasedJob } from './storage.ts';

/** Number of tenants whose last group is remembered; a forgotten one begins with its first group. */
const REMEMBERED_TENANTS = 10_000;

/** The turns of one worker, which continue from claim to claim. */
export class Turns implements ClaimTurns {
  readonly #groups = new LRUCache<string, string>({ max: REMEMBERED_TENANTS });
  tenantId: string | null | undefined;

  groupOf(tenantId: string | null): string | undefined {
    return this.#groups.get(toTenantKey(tenantId));
  }

  /** @param jobs the result of a claim */
  record(jobs: readonly LeasedJob[]): void {
    for (const { tenantId, group } of jobs) {
      this.tenantId = tenantId;
      this.#groups.set(toTenantKey(tenantId), group);
    }
  }
}

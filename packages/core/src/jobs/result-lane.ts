import { toTenantKey } from './fair-choice.ts';
import type { Finished } from './results.ts';

/** A result that is not stored yet. */
export interface WaitingResult {
  readonly finished: Finished;
  /** Called when the result needs no further transaction. */
  settled(): void;
}

/** Results that may share a transaction. Tenants take turns in it. */
export class ResultLane {
  readonly key: string;
  /** In the order of turns: the first tenant is next. */
  #byTenant = new Map<string, WaitingResult[]>();

  constructor(key: string) {
    this.key = key;
  }

  get isEmpty(): boolean {
    return this.#byTenant.size === 0;
  }

  /** Number of waiting results. */
  get size(): number {
    let size = 0;
    for (const results of this.#byTenant.values()) size += results.length;
    return size;
  }

  add(result: WaitingResult): void {
    append(this.#byTenant, result);
  }

  /** Removes at most `count` results, one of each tenant in turn. */
  take(count: number): WaitingResult[] {
    const taken: WaitingResult[] = [];
    for (const [tenant, results] of this.#byTenant) {
      if (taken.length === count) break;
      taken.push(results.shift() as WaitingResult);
      // Entries that are set again during the iteration are reached again, after all others.
      this.#byTenant.delete(tenant);
      if (results.length > 0) this.#byTenant.set(tenant, results);
    }
    return taken;
  }

  /** Adds results of `take` again, which are the next ones in their order. */
  putBack(results: readonly WaitingResult[]): void {
    const others = this.#byTenant;
    this.#byTenant = new Map();
    for (const result of results) append(this.#byTenant, result);
    for (const [tenant, waiting] of others) {
      this.#byTenant.set(tenant, [...(this.#byTenant.get(tenant) ?? []), ...waiting]);
    }
  }

  /** Removes the results of a tenant. */
  takeOf(tenantId: string | null): WaitingResult[] {
    const tenant = toTenantKey(tenantId);
    const results = this.#byTenant.get(tenant) ?? [];
    this.#byTenant.delete(tenant);
    return results;
  }

  /** Removes all results. */
  clear(): WaitingResult[] {
    return this.take(Number.MAX_SAFE_INTEGER);
  }
}

function append(byTenant: Map<string, WaitingResult[]>, result: WaitingResult): void {
  const tenant = toTenantKey(result.finished.job.tenantId);
  const results = byTenant.get(tenant);
  if (results) results.push(result);
  else byTenant.set(tenant, [result]);
}

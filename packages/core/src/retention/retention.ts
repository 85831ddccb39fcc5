import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** Retention rule of one kind of record. */
export interface RetentionRule {
  /** Name of the kind in reports: `events`. */
  readonly name: string;
  /** Maximum age in milliseconds; older records are removed. */
  readonly olderThanMs: number;
  /**
   * Removes up to `limit` of the records that depend on those which `deleteBatch` removes next, so
   * that a batch stays short however many there are; returns their number, which is not reported. It
   * is called before each batch until it returns 0.
   */
  deleteDependents?(before: Date, limit: number): Promise<number>;
  /**
   * Removes up to about `limit` records made before `before`, in one or several short transactions;
   * returns their number, 0 when none is left. Safe for any number of concurrent callers.
   */
  deleteBatch(before: Date, limit: number): Promise<number>;
}

/** Removes records older than their rule allows. */
export interface Retention {
  /**
   * Applies every rule until nothing is left to remove, or `signal` aborts. A rule that fails does
   * not stop the others.
   *
   * @returns the number of removed records, by rule
   * @throws the error of the first failing rule, after all have run
   */
  run(signal?: AbortSignal): Promise<Readonly<Record<string, number>>>;
}

/** Dependencies and settings of retention. */
export interface RetentionDependencies {
  /** Applied in this order; to change a term, pass a rule with another `olderThanMs`. */
  readonly rules: readonly RetentionRule[];
  readonly clock: Clock;
  /** Batch size in records; default 500. */
  readonly batchSize?: number;
  /** Waits between batches; default: a timer that keeps the process alive. */
  readonly pause?: (durationMs: number) => Promise<unknown>;
}

/**
 * Creates retention over the rules of all packages. After each batch it pauses for as long as the
 * batch took, so that on SQLite, where a batch holds the only writer, others get half of the time.
 */
export function createRetention(dependencies: RetentionDependencies): Retention {
  const { rules, clock } = dependencies;
  return {
    async run(signal) {
      const now = clock.now().getTime();
      const counts: Record<string, number> = {};
      const failures: unknown[] = [];
      for (const rule of rules) {
        counts[rule.name] = 0;
        const before = new Date(now - rule.olderThanMs);
        try {
          for await (const removed of batchesOf(rule, before, dependencies, signal)) {
            counts[rule.name] = (counts[rule.name] ?? 0) + removed;
          }
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return counts;
    },
  };
}

async function* batchesOf(
  rule: RetentionRule,
  before: Date,
  { clock, batchSize = 500, pause = delay }: RetentionDependencies,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  while (!signal?.aborted) {
    const startedMs = clock.monotonicMs();
    const dependents = (await rule.deleteDependents?.(before, batchSize)) ?? 0;
    if (dependents === 0) {
      const removed = await rule.deleteBatch(before, batchSize);
      if (removed === 0) return;
      yield removed;
    }
    await pause(clock.monotonicMs() - startedMs);
  }
}

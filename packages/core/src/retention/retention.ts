import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** How long one kind of record is kept. */
export interface RetentionRule {
  /** Of the kind, in reports: `events`. */
  readonly name: string;
  /** The term: what is older goes. */
  readonly olderThanMs: number;
  /**
   * Removes up to about `limit` records made before `before`, in one short transaction or several;
   * answers how many, 0 when none is left. Any number of callers may do it at once.
   */
  deleteBatch(before: Date, limit: number): Promise<number>;
}

/** Removes what is older than its term. */
export interface Retention {
  /**
   * Applies every rule until nothing is left to remove, or `signal` aborts. A rule that fails does
   * not keep the others.
   *
   * @returns how many records went, by rule
   * @throws what the first failing rule threw, after all have run
   */
  run(signal?: AbortSignal): Promise<Readonly<Record<string, number>>>;
}

/** What retention needs. */
export interface RetentionDependencies {
  /** In the order in which they are applied; to change a term, give a rule another `olderThanMs`. */
  readonly rules: readonly RetentionRule[];
  readonly clock: Clock;
  /** Records of one batch; default 500. */
  readonly batchSize?: number;
  /** Waits between batches; default a timer that keeps the process alive. */
  readonly pause?: (durationMs: number) => Promise<unknown>;
}

/**
 * Creates retention over the rules of all packages. After each batch it rests for as long as that
 * took, so that on SQLite, where a batch holds the only writer, others get half of the time.
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
    const removed = await rule.deleteBatch(before, batchSize);
    if (removed === 0) return;
    yield removed;
    await pause(clock.monotonicMs() - startedMs);
  }
}

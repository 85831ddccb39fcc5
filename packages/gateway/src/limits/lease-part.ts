import type { Clock, Timer } from '@probity/core';
import type { PrimaryPart, WorkerId } from '../cluster/part.ts';
import type { Limits, Taken } from './buckets.ts';
import { createBuckets } from './buckets.ts';

/** What workers address the leases by. */
export const LEASES = 'leases';

/** A worker asks for requests of a client. */
export interface LeaseRequest {
  readonly client: string;
  /** Requests that wait for the answer. */
  readonly waiting: number;
  /** Requests that it expects within a lease: it gives back those that do not come. */
  readonly expected: number;
}

/** A worker gives back what it leased beyond the requests that waited, when the time of the lease is over. */
export interface LeaseReturn {
  readonly client: string;
  readonly leased: number;
  readonly unused: number;
}

/** How long a worker keeps what it has leased, in milliseconds. */
export const LEASE_MS = 10;
/** A worker that is busy gives back late; nobody waits for it longer. */
const PATIENCE_MS = 1_000;

interface Asking {
  readonly request: LeaseRequest;
  readonly worker: WorkerId;
  /** After which the leases of others are waited for no longer. */
  readonly untilMs: number;
  answer(taken: Taken): void;
}

/**
 * The part of the primary that holds the buckets. Who asks is refused only when nothing is left with any
 * worker: while others have leased what they may not need, the answer waits for what they give back. A client waits
 * for its own leases with other workers, and for those of all clients only where all together have too few left.
 */
export function createLeasePart(clock: Clock, limits: () => Limits): PrimaryPart {
  const buckets = createBuckets(clock, limits);
  const outstanding = new Outstanding();
  let asking: Asking[] = [];
  let timer: Timer | null = null;
  const lend = ({ request, worker, answer }: Asking) => {
    const { client, waiting, expected } = request;
    const left = Math.max(0, buckets.left(client) - waiting);
    // Half of what is left at most: other workers have clients, too.
    const extra = Math.min(expected, Math.floor(left / 2));
    const taken = buckets.take(client, waiting + extra);
    outstanding.add(worker, client, Math.max(0, taken.count - waiting));
    answer(taken);
  };
  const mayGain = ({ request: { client, waiting }, worker }: Asking) =>
    buckets.leftOf(client) < waiting
      ? outstanding.withOthers(worker, client) > 0
      : buckets.left(client) < waiting && outstanding.withOthers(worker) > 0;
  const settle = () => {
    const nowMs = clock.monotonicMs();
    const still: Asking[] = [];
    for (const each of asking) {
      if (nowMs < each.untilMs && mayGain(each)) still.push(each);
      else lend(each);
    }
    asking = still;
    timer?.cancel();
    const [first] = asking;
    // A timer may be a fraction early: it is set again until nobody waits.
    timer = first ? clock.setTimer(settle, Math.max(1, first.untilMs - nowMs)) : null;
  };
  return {
    name: LEASES,
    answer(request, worker) {
      return new Promise<Taken>((answer) => {
        const untilMs = clock.monotonicMs() + PATIENCE_MS;
        const each = { request: request as LeaseRequest, worker, untilMs, answer };
        if (!mayGain(each)) return lend(each);
        asking.push(each);
        settle();
      });
    },
    take(message, worker) {
      const { client, leased, unused } = message as LeaseReturn;
      outstanding.add(worker, client, -leased);
      if (unused > 0) buckets.giveBack(client, unused);
      settle();
    },
    leave(worker) {
      outstanding.forget(worker);
      settle();
    },
    close: () => timer?.cancel(),
  };
}

/** What workers have leased and not given back, of each client. */
class Outstanding {
  readonly #byWorker = new Map<WorkerId, { sum: number; readonly byClient: Map<string, number> }>();

  add(worker: WorkerId, client: string, count: number): void {
    const own = this.#byWorker.get(worker) ?? { sum: 0, byClient: new Map<string, number>() };
    const before = own.byClient.get(client) ?? 0;
    const after = Math.max(0, before + count);
    own.sum += after - before;
    if (after > 0) own.byClient.set(client, after);
    else own.byClient.delete(client);
    if (own.sum > 0) this.#byWorker.set(worker, own);
    else this.#byWorker.delete(worker);
  }

  forget(worker: WorkerId): void {
    this.#byWorker.delete(worker);
  }

  /** Leased by other workers: for a client, or for all. */
  withOthers(worker: WorkerId, client?: string): number {
    let sum = 0;
    for (const [id, own] of this.#byWorker) {
      if (id === worker) continue;
      sum += client === undefined ? own.sum : (own.byClient.get(client) ?? 0);
    }
    return sum;
  }
}

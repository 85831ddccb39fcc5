import type { Clock } from '@probity/core';
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
 * worker: while others have leased what they may not need, the answer waits for what they give back.
 */
export function createLeasePart(clock: Clock, limits: () => Limits): PrimaryPart {
  const buckets = createBuckets(clock, limits);
  const outstanding = new Map<WorkerId, number>();
  let asking: Asking[] = [];
  const others = (worker: WorkerId) => {
    let sum = 0;
    for (const [id, count] of outstanding) if (id !== worker) sum += count;
    return sum;
  };
  const lend = ({ request, worker, answer }: Asking) => {
    const { client, waiting, expected } = request;
    const left = Math.max(0, buckets.left(client) - waiting);
    // Half of what is left at most: other workers have clients, too.
    const extra = Math.min(expected, Math.floor(left / 2));
    const taken = buckets.take(client, waiting + extra);
    const leased = Math.max(0, taken.count - waiting);
    outstanding.set(worker, (outstanding.get(worker) ?? 0) + leased);
    answer(taken);
  };
  const settle = () => {
    const nowMs = clock.monotonicMs();
    const still: Asking[] = [];
    for (const each of asking) {
      const { client, waiting } = each.request;
      const isShort = buckets.left(client) < waiting;
      if (isShort && others(each.worker) > 0 && nowMs < each.untilMs) still.push(each);
      else lend(each);
    }
    asking = still;
  };
  const forget = (worker: WorkerId, count: number) => {
    const left = (outstanding.get(worker) ?? 0) - count;
    if (left > 0) outstanding.set(worker, left);
    else outstanding.delete(worker);
  };
  return {
    name: LEASES,
    answer(request, worker) {
      return new Promise<Taken>((answer) => {
        const untilMs = clock.monotonicMs() + PATIENCE_MS;
        asking.push({ request: request as LeaseRequest, worker, untilMs, answer });
        settle();
        if (asking.length > 0) clock.setTimer(settle, PATIENCE_MS);
      });
    },
    take(message, worker) {
      const { client, leased, unused } = message as LeaseReturn;
      forget(worker, leased);
      if (unused > 0) buckets.giveBack(client, unused);
      settle();
    },
    leave(worker) {
      outstanding.delete(worker);
      settle();
    },
  };
}
